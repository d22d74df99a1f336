import type { Command } from 'commander';
import type { ExitCode } from '../../base/index.ts';
import { flagsToTarget } from '../../config/index.ts';
import { planOutline, planSummary } from '../../restore/index.ts';
import { addTarget, createCommand, does, type Run } from '../command.ts';
import { followRestore } from '../views/restore-progress.ts';
import { applyView } from '../views/restore-apply.ts';
import { planView } from '../views/restore-plan.ts';
import { applyExit } from './restore-apply.ts';

interface Options {
  planOnly?: boolean;
  evenChanged?: boolean;
}

export function restoreUndoCommand(run: Run): Command {
  const command = createCommand({
    name: 'undo',
    summary: 'Take back what a restore did, as far as the ledger allows.',
    examples: ['restore undo RESTORE_ID --plan-only', 'restore undo RESTORE_ID'],
    notes: [
      'What stood before is what apply read before its first write. Spaces that the restore made go to the bin of the platform.',
      'Exit code 3: something was not taken back; it is named, with the reason.',
    ],
  })
    .argument('<id>', 'id of the restore')
    .option('--plan-only', 'only write the plan and show it')
    .option('--even-changed', 'touch, too, what was changed after the restore');
  addTarget(command);
  return does<Options>(run, command, async ({ app, screen, signal, args }, options): Promise<ExitCode> => {
    using progress = followRestore(screen, 'undo', app.clock);
    const { onProgress, onRead } = progress;
    const evenChanged = options.evenChanged === true;
    const { file, plan } = await app.planUndo(args[0] ?? '', { evenChanged, onRead, signal });
    const summary = planSummary(plan);
    if (options.planOnly === true) {
      progress[Symbol.dispose]();
      await screen.show({ plan: file, ...summary }, (look) =>
        planView({ file, plan, summary, tree: planOutline(plan), flags: flagsToTarget(app.config) }, look),
      );
      return 0;
    }
    const result = await app.applyRestore(file, { onProgress, onRead, signal });
    progress[Symbol.dispose]();
    await screen.show({ ...result, plan: file }, (look) => applyView(result, app.config, look));
    return applyExit(result);
  });
}
