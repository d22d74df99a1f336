import type { Command } from 'commander';
import type { ExitCode } from '../../base/index.ts';
import { flagsToTarget } from '../../config/index.ts';
import { planLines, planSummary } from '../../restore/index.ts';
import { addTarget, createCommand, does, type Run } from '../command.ts';
import { followRestore } from '../views/restore-progress.ts';
import { applyView } from '../views/restore-apply.ts';
import { planView } from '../views/restore-plan.ts';

interface Options {
  people: string;
  planOnly?: boolean;
}

export function restoreRemapCommand(run: Run): Command {
  const command = createCommand({
    name: 'remap',
    summary: 'Correct who is who after a restore: roles and sign-on of those who are newly known.',
    examples: [
      'restore remap RESTORE_ID --people people.yaml --plan-only',
      'restore remap RESTORE_ID --people people.yaml',
    ],
    notes: [
      'A line of the file: "ID or e-mail address in the snapshot: ID or e-mail address on the target". Running it again does no harm.',
      'No operation changes who is in a team: those who belong into one are named, with "default: WHO" the one who stands in for all others too. Credit lines of comments stay.',
    ],
  })
    .argument('<id>', 'id of the restore')
    .requiredOption('--people <file>', 'YAML or JSON: who of the snapshot is who on the target')
    .option('--plan-only', 'only write the plan and show it');
  addTarget(command);
  return does<Options>(run, command, async ({ app, screen, signal, args }, options): Promise<ExitCode> => {
    using progress = followRestore(screen, 'remap', app.clock);
    const { file, plan, applied } = await app.remapPeople(args[0] ?? '', {
      people: options.people,
      planOnly: options.planOnly === true,
      onProgress: progress.onProgress,
      onRead: progress.onRead,
      signal,
    });
    progress[Symbol.dispose]();
    const flags = flagsToTarget(app.config);
    const [summary, tree] = [planSummary(plan), planLines(plan)];
    const people = plan.steps.map(({ kind, key, title, action, note }) => ({ kind, key, title, action, note }));
    await screen.show({ plan: file, ...summary, people, applied }, (look) => {
      if (options.planOnly === true && file !== null) return planView({ file, plan, summary, tree, flags }, look);
      const done =
        applied === null
          ? 'Nothing to write: everybody who is known has their role and sign-on'
          : applyView(applied, app.config, look);
      return [...tree, ...(tree.length === 0 ? [] : ['']), done].join('\n').trimStart();
    });
    return applied === null || applied.failed + applied.skipped === 0 ? 0 : 3;
  });
}
