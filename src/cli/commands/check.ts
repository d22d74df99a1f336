import type { Command } from 'commander';
import type { CheckProgress } from '../../app.ts';
import { AppError, toAppError, type ExitCode } from '../../base/index.ts';
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
    const report = await app
      .check({ readData, live, onProgress, signal })
      .catch((error: unknown) => sayUnreadable(error, app.config.dataDir));
    turns[Symbol.dispose]();
    await screen.show(report, (look) => checkView(report, look));
    if (!report.passed)
      await screen.fault('DM_CHECK_FAILED', checkFault(report, app.config.dataDir), checkAdvice(report));
    return report.passed ? 0 : 1;
  });
}

/** The usual advice for a damaged database is to run this very command. */
function sayUnreadable(error: unknown, dataDir: string): never {
  const known = toAppError(error);
  if (known.code !== 'DM_DATABASE_DAMAGED') throw error;
  throw new AppError(
    known.code,
    `The database cannot be checked, it is damaged too much: ${known.message} (data directory ${dataDir})`,
    {
      hint: 'Move the data directory away, then put a copy of it in its place, or begin a new one with docmirror sync. The pages in content/ and the files in objects/ can be read without the database.',
      cause: error,
    },
  );
}
