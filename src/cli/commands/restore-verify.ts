import type { Command } from 'commander';
import type { ExitCode } from '../../base/index.ts';
import { flagsToTarget } from '../../config/index.ts';
import { restoreById, halfUndone, stepsOf, undoesOf, undone } from '../../mirror/index.ts';
import { needsNewPlan } from '../../restore/index.ts';
import { addTarget, createCommand, does, type Run } from '../command.ts';
import { noteSource } from '../advice.ts';
import { sayKept } from '../kept.ts';
import { followRestore } from '../views/restore-progress.ts';
import { afterDifferences, leftUnverified, onlyAnew, verifyDocument, verifyView } from '../views/verify.ts';

export function restoreVerifyCommand(run: Run): Command {
  const command = createCommand({
    name: 'verify',
    summary: 'Read the target again and compare it, field by field, with the snapshot.',
    examples: ['restore verify RESTORE_ID', 'restore verify RESTORE_ID --json'],
    notes: ['Exit code 1: a field that must come back exactly differs, or a link is newly broken.'],
  }).argument('<id>', 'id of the restore');
  addTarget(command);
  return does(run, command, async ({ app, screen, signal, args }): Promise<ExitCode> => {
    const id = args[0] ?? '';
    const kept = `The verification of restore ${id} was interrupted; it is not recorded`;
    const again = sayKept(kept, `Run it again: \`docmirror restore verify ${id}\`.`);
    using progress = followRestore(screen, 'verify', app.clock);
    const report = await app.verifyRestore(id, { onRead: progress.onRead, signal }).catch(again);
    progress[Symbol.dispose]();
    using mirror = app.reader();
    const record = restoreById(mirror, id);
    const flags = flagsToTarget(app.config);
    const [undoes, isHeld] = [undoesOf(record), needsNewPlan(stepsOf(mirror, id))];
    const left = isHeld ? onlyAnew(undoes, flags) : leftUnverified(id, flags);
    const rest = report.passed && record.state !== 'done' ? `\n\n${left}` : '';
    await screen.show(verifyDocument(report), (look) => verifyView(report, `Restore ${id}`, look) + rest);
    await noteSource(screen, report);
    if (!report.passed) {
      const next = afterDifferences({
        id,
        state: record.state,
        flags,
        undoneBy: undone(mirror).get(id) ?? null,
        halfUndoneBy: halfUndone(mirror).get(id) ?? null,
        undoes,
        needsNewPlan: isHeld,
      });
      await screen.fault('DM_VERIFY_DIFFERS', `Restore ${id} differs from the snapshot`, next);
    }
    return report.passed ? 0 : 1;
  });
}
