import type { Command } from 'commander';
import { ledger } from '../../restore/index.ts';
import { createCommand, doesForAll, type Run } from '../command.ts';
import { ledgerView } from '../views/ledger.ts';

export function restoreLedgerCommand(run: Run): Command {
  const command = createCommand({
    name: 'ledger',
    summary: 'Say for every kind and field whether it can come back: exactly, best effort, or not, and why.',
    examples: ['restore ledger', 'restore ledger --json'],
    notes: ['A drill proves it: what is called exact must come back equal, and what always does must be called so.'],
  });
  return doesForAll(run, command, async ({ screen }) => {
    const entries = ledger();
    await screen.show(entries, (look) => ledgerView(entries, look));
  });
}
