// Numbers as people read them.
import { thousands } from '../../base/index.ts';

export { bytes, count, few, span, thousands } from '../../base/index.ts';

/** `2025-03-01 02:00:14 UTC` from an ISO time. */
export function when(iso: string | null): string {
  return iso === null ? '' : `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** How many in a second, or in a minute where that would round to nothing much: `12/s`, `26/min`. */
export function rateWords(amount: number, ms: number): string {
  const perSecond = (amount * 1000) / Math.max(1, ms);
  return perSecond === 0 || perSecond >= 1
    ? `${thousands(Math.round(perSecond))}/s`
    : `${Math.round(perSecond * 60)}/min`;
}
