import type { Command } from 'commander';
import { AppError, type ExitCode } from '../../base/index.ts';
import type { RetentionPolicy } from '../../mirror/index.ts';
import { createCommand, does, wholeNumber, type Run } from '../command.ts';
import { forgetDocument, forgetView, pruneView } from '../views/forget.ts';

interface Options {
  keepLast?: string;
  keepDaily?: string;
  keepWeekly?: string;
  keepMonthly?: string;
  keepYearly?: string;
  dryRun?: boolean;
  prune?: boolean;
}

const AGES = ['last', 'daily', 'weekly', 'monthly', 'yearly'] as const;

export function forgetCommand(run: Run): Command {
  const command = createCommand({
    name: 'forget',
    examples: [
      'forget --keep-daily 14 --keep-monthly 12 --dry-run',
      'forget --keep-last 3 --keep-daily 14 --keep-yearly 10 --prune',
    ],
    notes: [
      'Only complete snapshots fill places. The newest ones are always kept, and nothing is dropped while the newest is suspect (exit code 4, of --dry-run too).',
    ],
  });
  for (const age of AGES) command.option(`--keep-${age} <n>`, keepWords(age));
  command
    .option('--dry-run', 'only say what would be dropped')
    .option('--prune', 'free at once what nothing refers to');
  return does<Options>(run, command, async ({ app, screen, signal }, options): Promise<ExitCode> => {
    const dryRun = options.dryRun === true;
    const forgotten = await app.forget({ policy: policyOf(options), dryRun, prune: options.prune === true, signal });
    await screen.show(forgetDocument(forgotten, dryRun), (look) => forgetView(forgotten, dryRun, look));
    const { refusal } = forgotten;
    if (refusal === null) return 0;
    await screen.fault(refusal.code, `Forgetting would be refused now: ${refusal.message}`, refusal.hint);
    return refusal.exitCode;
  });
}

function keepWords(age: (typeof AGES)[number]): string {
  if (age === 'last') return 'keep so many of the newest';
  return `keep the newest of each ${{ daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' }[age]}, so many of them`;
}

function policyOf(options: Options): RetentionPolicy {
  const given = [options.keepLast, options.keepDaily, options.keepWeekly, options.keepMonthly, options.keepYearly];
  if (given.every((text) => text === undefined)) {
    throw new AppError('DM_USAGE', 'No policy was given; expected at least one --keep-… option', {
      hint: 'For example --keep-daily 14 --keep-monthly 12; add --dry-run to see first what it would do.',
    });
  }
  const places = given.map((text, i) => (text === undefined ? 0 : wholeNumber(`--keep-${AGES[i] ?? ''}`, text)));
  if (places.every((number) => number === 0)) {
    throw new AppError('DM_USAGE', 'Every --keep-… option is 0; expected one above 0', {
      hint: 'Else all but the newest snapshots would go. To keep one alone, say --keep-last 1.',
    });
  }
  const [last = 0, daily = 0, weekly = 0, monthly = 0, yearly = 0] = places;
  return { last, daily, weekly, monthly, yearly };
}

export function pruneCommand(run: Run): Command {
  const command = createCommand({
    name: 'prune',
    examples: ['prune', 'prune --json'],
  });
  return does(run, command, async ({ app, screen, signal }) => {
    const pruned = await app.prune(signal);
    await screen.show(pruned, () => pruneView(pruned));
  });
}
