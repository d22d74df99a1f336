// When the daemon works, what it keeps, and what it watches.
import { cron, duration, durationAboveZero, durationWithinADay, timezone } from './setting-time.ts';
import { flag, integer, nullable, place, share, type Setting } from './setting.ts';

const PLACES = { minimum: 0, maximum: 100_000 };

function keep(description: string): Setting<number | null> {
  return nullable(integer({ description, default: null }, PLACES), 'none');
}

export const DAEMON_SETTINGS = {
  'schedule.timezone': nullable(
    timezone({
      description: "Time zone of the schedule; this machine's when null.",
      default: null,
    }),
    "this machine's zone",
  ),
  'schedule.sync': nullable(
    cron({
      description: 'When the daemon walks; never when null.',
      default: '0 2 * * *',
    }),
    'never',
  ),
  'schedule.drill': nullable(
    cron({
      description: 'When the daemon drills a restore; never when null.',
      default: '0 4 * * *',
    }),
    'never',
  ),
  'schedule.check': nullable(
    cron({
      description: 'When the daemon checks what is stored; never when null.',
      default: '0 5 * * 6',
    }),
    'never',
  ),
  'schedule.forget': nullable(
    cron({
      description:
        'When the daemon drops snapshots by `retention`; never when null, or while no `retention.keep…` is set.',
      default: '0 6 * * *',
    }),
    'never',
  ),
  'schedule.report': nullable(
    cron({
      description: 'When the daemon writes the report to a file; never when null.',
      default: '30 6 * * *',
    }),
    'never',
  ),
  'schedule.jitter': durationWithinADay({
    description: 'A scheduled job begins up to so much later, by chance.',
    default: '5m',
  }),
  'schedule.retryAfter': nullable(
    duration({
      description:
        'A walk that the platform let fail, as by being out of reach, or its own disk, as by being full, begins again so much later, three times at most before its next time; never when null.',
      default: '1h',
    }),
    'never',
  ),
  'check.readShare': share({
    description:
      'The part of the stored texts and files that one check of the daemon reads and compares with its hash.',
    default: 0.15,
  }),
  'retention.keepLast': keep('The daemon keeps so many of the newest complete snapshots.'),
  'retention.keepDaily': keep('The daemon keeps the newest of each day, so many of them.'),
  'retention.keepWeekly': keep('The daemon keeps the newest of each week, so many of them.'),
  'retention.keepMonthly': keep('The daemon keeps the newest of each month, so many of them.'),
  'retention.keepYearly': keep('The daemon keeps the newest of each year, so many of them.'),
  'retention.prune': flag({
    description: 'Free at once what no kept snapshot refers to.',
    default: true,
  }),
  'report.path': nullable(
    place(
      {
        description: 'The file that the daemon writes the report to; `report.html` in the data directory when null.',
        default: null,
      },
      'file',
    ),
    'report.html in the data directory',
  ),
  'freshness.snapshot': durationAboveZero({
    description: 'Not ready when the last complete snapshot is older.',
    default: '26h',
  }),
  'freshness.drill': durationAboveZero({
    description: 'Not ready when the last passed drill is older.',
    default: '8d',
  }),
} satisfies Record<string, Setting<unknown>>;
