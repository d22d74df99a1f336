// Numbers and times as the pages show them.
import { thousands as amount } from '../../base/index.ts';

export { amount };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `in 5 hours`, `3 days ago`, `just now`. */
export function relative(ms: number): string {
  const past = ms <= 0;
  const size = Math.abs(ms);
  if (size < MINUTE) return past ? 'just now' : 'in a moment';
  const [number, unit] =
    size < HOUR ? [size / MINUTE, 'minute'] : size < 2 * DAY ? [size / HOUR, 'hour'] : [size / DAY, 'day'];
  const whole = Math.round(number);
  const text = `${whole} ${unit}${whole === 1 ? '' : 's'}`;
  return past ? `${text} ago` : `in ${text}`;
}

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

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

export function size(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power] ?? ''}`;
}

export function at(iso: string | null): string {
  return iso === null ? '' : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** `change-request-pages` as `change request pages`. */
export function kindWord(kind: string): string {
  return kind.replaceAll('-', ' ');
}

/** `1 change request page`, `2 comment replies`. */
export function countOf(number: number, kind: string): string {
  const word = kindWord(kind);
  if (number === 1 || word.endsWith('s')) return `${amount(number)} ${word}`;
  return `${amount(number)} ${word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`}`;
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
