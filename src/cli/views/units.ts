// Numbers as people read them.
export { count, thousands } from '../../base/index.ts';

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `1.4 MB`; decimal units. */
export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[unit] ?? ''}`;
}

/** `850 ms`, `12.3 s`, `4 min 10 s`, `3 h 5 min`, `8 d 2 h`. */
export function span(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < HOUR) return two(ms, [MINUTE, 'min'], [SECOND, 's']);
  if (ms < DAY) return two(ms, [HOUR, 'h'], [MINUTE, 'min']);
  return two(ms, [DAY, 'd'], [HOUR, 'h']);
}

function two(ms: number, [big, bigName]: [number, string], [small, smallName]: [number, string]): string {
  const whole = Math.floor(ms / big);
  const rest = Math.floor((ms - whole * big) / small);
  return rest === 0 ? `${whole} ${bigName}` : `${whole} ${bigName} ${rest} ${smallName}`;
}

/** `2025-03-01 02:00:14 UTC` from an ISO time. */
export function when(iso: string | null): string {
  return iso === null ? '' : `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
