// Settings that say how long, and when.
import { Cron } from 'croner';
import Type, { type TSchema } from 'typebox';
import { parseDuration } from '../base/index.ts';
import { asNumber, numberFromText, setting, type About, type Setting } from './setting.ts';

const WRITTEN = '\\d+(\\.\\d+)? ?(ms|s|m|h|d)$';

/** Milliseconds; written as `30s`, `5m`, `26h`, `8d`, or a whole number of milliseconds. Zero is a time like any other. */
export function duration(about: About): Setting<number> {
  return setting(about, {
    schema: eitherWay(`^${WRITTEN}`, 0),
    expected: 'a duration such as 30s, 5m, 26h or 8d, or a whole number of milliseconds',
    convert: milliseconds,
    fromText: numberFromText,
  });
}

/** The same for what nothing could keep to, or would ever be, without any time. */
export function durationAboveZero(about: About): Setting<number> {
  return setting(about, {
    schema: eitherWay(`^(?=.*[1-9])${WRITTEN}`, 1),
    expected: 'a duration above 0 such as 30s, 5m, 26h or 8d, or a whole number of milliseconds above 0',
    // A part of a millisecond may be none.
    convert: (given) => milliseconds(given) || undefined,
    fromText: numberFromText,
  });
}

/** The same for what a job waits: one that waits longer than a day misses its next time. */
export function durationWithinADay(about: About): Setting<number> {
  return setting(about, {
    schema: eitherWay(`^${WRITTEN}`, 0, DAY_MS),
    expected: 'a duration of 24h at most such as 30s, 5m or 2h, or a whole number of milliseconds',
    convert: (given) => {
      const read = milliseconds(given);
      return read === undefined || read > DAY_MS ? undefined : read;
    },
    fromText: numberFromText,
  });
}

const DAY_MS = 86_400_000;

function eitherWay(pattern: string, minimum: number, maximum = Number.MAX_SAFE_INTEGER): TSchema {
  return Type.Union([Type.String({ pattern }), Type.Integer({ minimum, maximum })]);
}

function milliseconds(given: unknown): number | undefined {
  return asNumber(given) ?? parseDuration(String(given)) ?? undefined;
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

/** Whether this is a time zone that the program knows. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
