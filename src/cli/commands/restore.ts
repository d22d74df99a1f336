import type { Command } from 'commander';
import { createCommand, type Run } from '../command.ts';
import { restoreApplyCommand, restoreResumeCommand } from './restore-apply.ts';
import { restoreLedgerCommand } from './restore-ledger.ts';
import { restoreListCommand } from './restore-list.ts';
import { restorePlanCommand } from './restore-plan.ts';
import { restoreRemapCommand } from './restore-remap.ts';
import { restoreUndoCommand } from './restore-undo.ts';
import { restoreVerifyCommand } from './restore-verify.ts';

export function restoreCommand(run: Run): Command {
  return createCommand({
    name: 'restore',
    examples: ['restore plan --snapshot 3 --out plan.json', 'restore apply plan.json', 'restore verify RESTORE_ID'],
    notes: ['Nothing is written to the target before apply, and apply takes only a plan that still fits.'],
  })
    .addCommand(restorePlanCommand(run))
    .addCommand(restoreApplyCommand(run))
    .addCommand(restoreResumeCommand(run))
    .addCommand(restoreVerifyCommand(run))
    .addCommand(restoreUndoCommand(run))
    .addCommand(restoreRemapCommand(run))
    .addCommand(restoreListCommand(run))
    .addCommand(restoreLedgerCommand(run));
}
