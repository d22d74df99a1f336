import type { Command } from 'commander';
import { AppError } from '../../base/index.ts';
import { planSummary, planTree } from '../../restore/index.ts';
import { addTarget, createCommand, does, type Run } from '../command.ts';
import { planView } from '../views/restore.ts';

interface Options {
  snapshot: string;
  scope?: string;
  toOrganization?: string;
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
    ],
    notes: [
      'Only reads. The target must be an empty organization. Its token: DOCMIRROR_TARGET_TOKEN or DOCMIRROR_TARGET_TOKEN_FILE.',
    ],
  })
    .requiredOption('--snapshot <snapshot>', 'number, time or "latest"')
    .option('--scope <scope>', 'organization:ID, where the snapshot holds several')
    .option('--to-organization <id>', 'organization of the target; the only one that its token shows without')
    .option('--review', 'content arrives as change requests, for people to merge')
    .requiredOption('--out <file>', 'the file that the plan goes into');
  addTarget(command);
  return does<Options>(run, command, async ({ app, screen, signal }, options) => {
    const plan = await app.planRestore({
      snapshot: options.snapshot,
      organization: organizationOf(options.scope),
      toOrganization: options.toOrganization ?? null,
      review: options.review === true,
      out: options.out,
      signal,
    });
    const summary = planSummary(plan);
    await screen.show({ plan: options.out, ...summary }, (look) =>
      planView({ file: options.out, plan, summary, tree: planTree(plan), target: app.config.target.baseUrl }, look),
    );
  });
}

const SCOPE = 'organization:';

function organizationOf(scope: string | undefined): string | null {
  if (scope === undefined) return null;
  if (scope.startsWith(SCOPE) && scope.length > SCOPE.length) return scope.slice(SCOPE.length);
  throw new AppError('DM_USAGE', `--scope is ${JSON.stringify(scope)}; expected organization:ID`, {
    hint: 'This version restores whole organizations; leave --scope out where the snapshot holds only one.',
  });
}
