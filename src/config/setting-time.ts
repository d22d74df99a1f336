// Settings that say how long, and when.
import { Cron } from 'croner';
import Type from 'typebox';
import { parseDuration } from '../base/index.ts';
import { asNumber, numberFromText, setting, type About, type Setting } from './setting.ts';

/** Milliseconds; written as `30s`, `5m`, `26h`, `8d`, or a whole number of milliseconds. */
export function duration(about: About): Setting<number> {
  return setting(about, {
    schema: Type.Union([
      Type.String({ pattern: '^\\d+(\\.\\d+)? ?(ms|s|m|h|d)$' }),
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    ]),
    expected: 'a duration such as 30s, 5m, 26h or 8d, or a whole number of milliseconds',
    convert: (given) => asNumber(given) ?? parseDuration(String(given)) ?? undefined,
    fromText: numberFromText,
  });
}

export function cron(about: About): Setting<string> {
  return setting(about, {
    schema: Type.String({ minLength: 1 }),
    expected: 'a cron expression such as "0 2 * * *"',
    convert: (given) => (isCron(String(given)) ? String(given) : undefined),
  });
}

export function timezone(about: About): Setting<string> {
  return setting(about, {
    schema: Type.String({ minLength: 1 }),
    expected: 'an IANA time zone such as Europe/Zurich',
    convert: (given) => (isTimezone(String(given)) ? String(given) : undefined),
  });
}

const FAR_AHEAD = new Date('2200-01-01T00:00:00Z');

/**
 * Also false for times that never come, such as the 30th of February, or that end with a year: nights that nobody would miss before they
 * are needed.
 */
function isCron(pattern: string): boolean {
  try {
    return new Cron(pattern, { paused: true }).nextRun(FAR_AHEAD) !== null;
  } catch {
    return false;
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
