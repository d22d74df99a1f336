// Numbers as people read them.
export { count, span, thousands } from '../../base/index.ts';

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

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

/** `2025-03-01 02:00:14 UTC` from an ISO time. */
export function when(iso: string | null): string {
  return iso === null ? '' : `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
