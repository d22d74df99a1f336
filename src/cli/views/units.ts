// Numbers as people read them.
export { bytes, count, few, span, thousands } from '../../base/index.ts';

/** `2025-03-01 02:00:14 UTC` from an ISO time. */
export function when(iso: string | null): string {
  return iso === null ? '' : `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
