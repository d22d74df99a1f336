// Times as people type them, read as they are printed: in UTC, and as exactly as they were given.
import { isoTime } from '../../base/index.ts';

// The plus of a zone arrives as a space from the query of an address in which nobody has escaped it.
const FORM =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?\s*(Z|UTC|([+\s-])(\d{2}):?(\d{2}))?)?$/i;
const MINUTE_MS = 60_000;

/**
 * The last millisecond of the day, minute or second that a text names, which is UTC unless it says otherwise (`Z`, `UTC`,
 * `+02:00`); null when it names none, such as the 30th of February.
 */
export function endOfMoment(text: string): number | null {
  const [, day = '', time, second, fraction, , sign, hours = '0', minutes = '0'] = FORM.exec(text.trim()) ?? [];
  const ms = second === undefined || fraction === undefined ? '999' : fraction.padEnd(3, '0');
  const full = `${day}T${time ?? '23:59'}:${second ?? '59'}.${ms}Z`;
  const at = Date.parse(full);
  // Date.parse takes the 30th of February for the 2nd of March, and 24:00 for the next day.
  if (Number.isNaN(at) || isoTime(at) !== full || Number(hours) > 14 || Number(minutes) > 59) return null;
  const ahead = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === '-' ? at + ahead : at - ahead;
}
