import type { Command } from 'commander';
import { AppError } from '../../base/index.ts';
import { createCommand, does, type Run } from '../command.ts';

export function restoreUndoCommand(run: Run): Command {
  const command = createCommand({
    name: 'undo',
    summary: 'Take back a restore (not in this version).',
    examples: ['restore undo RESTORE_ID'],
  }).argument('<id>', 'id of the restore');
  return does(run, command, ({ args }) => {
    const message = `Restore ${args[0] ?? ''} cannot be taken back: this version has no undo`;
    const hint =
      'A restore fills an empty organization only: delete that organization on the target, or what the journal lists.';
    return Promise.reject(new AppError('DM_RESTORE_FAILED', message, { hint }));
  });
}
