import type { Command } from 'commander';
import { planSummary, planTree } from '../../restore/index.ts';
import { addTarget, createCommand, does, type Run } from '../command.ts';
import { planView } from '../views/restore.ts';

interface Options {
  snapshot: string;
  scope?: string;
  toOrganization?: string;
  intoExisting?: boolean;
  review?: boolean;
  out: string;
}

export function restorePlanCommand(run: Run): Command {
  const command = createCommand({
    name: 'plan',
    summary: 'Compare a snapshot with the target and write down what a restore would do.',
    examples: [
      'restore plan --snapshot 3 --out plan.json',
      'restore plan --snapshot latest --target-url http://127.0.0.1:8700 --to-organization ID --out plan.json',
      'restore plan --snapshot 3 --scope space:ID --into-existing --out plan.json',
    ],
    notes: ['Only reads. The token of the target: DOCMIRROR_TARGET_TOKEN or DOCMIRROR_TARGET_TOKEN_FILE.'],
  })
    .requiredOption('--snapshot <snapshot>', 'number, time or "latest"')
    .option('--scope <scope>', 'organization:ID, collection:ID, space:ID, site:ID or kind:NAME, with what that needs')
    .option('--to-organization <id>', 'organization of the target; the only one that its token shows without')
    .option('--into-existing', 'write beside what stands on the target; without it the target must be empty')
    .option('--review', 'content arrives as change requests, for people to merge')
    .requiredOption('--out <file>', 'the file that the plan goes into');
  addTarget(command);
  return does<Options>(run, command, async ({ app, screen, signal }, options) => {
    const plan = await app.planRestore({
      snapshot: options.snapshot,
      scope: options.scope ?? null,
      toOrganization: options.toOrganization ?? null,
      intoExisting: options.intoExisting === true,
      review: options.review === true,
      out: options.out,
      signal,
    });
    const summary = planSummary(plan);
    const { scope, closure, preflight } = plan;
    await screen.show({ plan: options.out, ...summary, scope, closure, preflight }, (look) =>
      planView({ file: options.out, plan, summary, tree: planTree(plan), target: app.config.target.baseUrl }, look),
    );
  });
}
