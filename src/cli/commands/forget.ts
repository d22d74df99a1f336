import type { Command } from 'commander';
import { AppError } from '../../base/index.ts';
import { createCommand, does, type Run } from '../command.ts';

const AGES = ['last', 'daily', 'weekly', 'monthly', 'yearly'] as const;

export function forgetCommand(run: Run): Command {
  const command = createCommand({
    name: 'forget',
    summary: 'Drop snapshots by policy (not in this version).',
    examples: ['forget --keep-daily 14 --keep-monthly 12 --dry-run'],
  });
  for (const age of AGES) command.option(`--keep-${age} <n>`, `how many to keep: ${age}`);
  command.option('--dry-run', 'only say what would be dropped').option('--prune', 'free what nothing refers to');
  return does(run, command, () => Promise.reject(keepsEverything()));
}

export function pruneCommand(run: Run): Command {
  const command = createCommand({
    name: 'prune',
    summary: 'Free what no snapshot refers to (not in this version).',
    examples: ['prune'],
  });
  return does(run, command, () => Promise.reject(keepsEverything()));
}

function keepsEverything(): AppError {
  return new AppError('DM_USAGE', 'This version keeps every snapshot: it has no retention yet', {
    hint: 'Nothing was dropped. The mirror grows only by what changes.',
  });
}
