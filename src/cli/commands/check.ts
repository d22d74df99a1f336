import type { Command } from 'commander';
import type { CheckProgress } from '../../app.ts';
import type { ExitCode } from '../../base/index.ts';
import { createCommand, does, wholeNumber, type Run } from '../command.ts';
import { checkAdvice, checkFault, checkView } from '../views/check.ts';
import { takeTurns } from '../views/progress-turns.ts';

interface Options {
  readData?: boolean;
  live?: string;
}

export function checkCommand(run: Run): Command {
  const command = createCommand({
    name: 'check',
    examples: ['check', 'check --read-data --json', 'check --live 20'],
    notes: ['Exit code 1: something is damaged, or --live could not compare it. Nothing is changed.'],
  })
    .option('--read-data', 'also read every stored byte and compare it with its hash')
    .option('--live <n>', 'also compare so many resources, chosen by chance, with the platform');
  return does<Options>(run, command, async ({ app, screen, signal }, options): Promise<ExitCode> => {
    const readData = options.readData === true;
    const live = options.live === undefined ? 0 : wholeNumber('--live', options.live);
    using turns = takeTurns(screen);
    const onProgress = ({ part, done, total }: CheckProgress): void => turns.turnTo(part).update(done, total);
    const report = await app.check({ readData, live, onProgress, signal });
    turns[Symbol.dispose]();
    await screen.show(report, (look) => checkView(report, look));
    if (!report.passed)
      await screen.fault('DM_CHECK_FAILED', checkFault(report, app.config.dataDir), checkAdvice(report));
    return report.passed ? 0 : 1;
  });
}
