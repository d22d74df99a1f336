import type { Command } from 'commander';
import type { ExitCode } from '../../base/index.ts';
import { createCommand, does, type Run } from '../command.ts';
import { checkView } from '../views/check.ts';

interface Options {
  readData?: boolean;
}

export function checkCommand(run: Run): Command {
  const command = createCommand({
    name: 'check',
    summary: 'Check the integrity of the database, the objects and the export.',
    examples: ['check', 'check --read-data --json'],
    notes: ['Exit code 1: something is damaged. Nothing is changed.'],
  }).option('--read-data', 'also read every stored byte and compare it with its hash');
  return does<Options>(run, command, async ({ app, screen, signal }, { readData = false }): Promise<ExitCode> => {
    const report = await app.check({ readData, signal });
    await screen.show(report, (look) => checkView(report, readData, look));
    if (!report.passed)
      await screen.fault(
        'DM_CHECK_FAILED',
        `The mirror in ${app.config.dataDir} failed its check`,
        'Run docmirror sync to read damaged things again, or put back a copy of the data directory.',
      );
    return report.passed ? 0 : 1;
  });
}
