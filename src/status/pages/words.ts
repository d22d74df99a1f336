// Numbers and times as the pages show them.
import { inUtc } from '../../base/index.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `in 5 hours`, `3 days ago`, `just now`. What is left is never more than is said: somebody may go by it. */
export function relative(ms: number): string {
  const past = ms <= 0;
  const size = Math.abs(ms);
  if (size < MINUTE) return past ? 'just now' : 'in a moment';
  const [number, unit] =
    size < HOUR ? [size / MINUTE, 'minute'] : size < 2 * DAY ? [size / HOUR, 'hour'] : [size / DAY, 'day'];
  const whole = past ? Math.round(number) : Math.floor(number);
  const text = `${whole} ${unit}${whole === 1 ? '' : 's'}`;
  return past ? `${text} ago` : `in ${text}`;
}

/** Short, as an axis and a cell of a table have room for: `850 ms`, `12.3 s`, `4 min 10 s`, `12 min`, `3.1 h`. */
export function took(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms >= HOUR) return `${(ms / HOUR).toFixed(1)} h`;
  const seconds = Math.round((ms % MINUTE) / SECOND);
  const minutes = Math.floor(ms / MINUTE);
  return ms >= 10 * MINUTE || seconds === 0 || seconds === 60
    ? `${Math.round(ms / MINUTE)} min`
    : `${minutes} min ${seconds} s`;
}

/** `2025-03-01 02:00 UTC` from an ISO time of any zone; nothing for none. */
export function at(iso: string | null): string {
  const utc = inUtc(iso ?? '');
  return iso === null ? '' : `${utc.slice(0, 10)} ${utc.slice(11, 16)} UTC`;
}

/** `change-request-pages` as `change request pages`. */
export function kindWord(kind: string): string {
  return kind.replaceAll('-', ' ');
}

const CHANGE_CLASSES: Readonly<Record<string, string>> = { added: 'good', changed: 'warn', removed: 'bad' };

/** The class of a change between two snapshots: `added`, `changed` or `removed`. */
export function changeClass(change: string): string {
  return CHANGE_CLASSES[change] ?? '';
}

/** The class of a snapshot's state. */
export function stateClass(state: string): string {
  if (state === 'complete') return 'good';
  return state === 'partial' || state === 'suspect' ? 'warn' : 'soft';
}

const UNSEEN = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}]*$/u;

/** Words of a link; others where nothing of them can be seen, as of spaces and marks of direction, so that it can be clicked. */
export function seenOr(words: string, others: string): string {
  return UNSEEN.test(words) ? others : words;
}
