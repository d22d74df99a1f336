// Positions among siblings as text that sorts bytewise: eight digits at the beginning and at the end of an order, and other
// characters among or after them between two neighbours. Putting something between two others changes neither, which keeps page
// tokens valid.
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const WIDTH = 8;
const START = 40_000_000;
const DIGITS_FIRST = /^\d{0,8}/;

/** A position after `before` and ahead of `after`; null stands for the beginning or the end. */
export function positionBetween(before: string | null, after: string | null): string {
  if (before === null && after === null) return String(START);
  if (after === null) return step(before ?? '', 1);
  if (before === null) return step(after, -1);
  return midpoint(before, after);
}

/** The digits right after, or right before, everything that begins as this one: what once stood between two others may be the last. */
function step(position: string, by: 1 | -1): string {
  const [digits = ''] = DIGITS_FIRST.exec(position) ?? [];
  const least = Number(digits.padEnd(WIDTH, '0'));
  const next = by === 1 ? least + 10 ** (WIDTH - digits.length) : least - 1;
  return String(next).padStart(WIDTH, '0');
}

function midpoint(low: string, high: string): string {
  let result = '';
  let bounded = true;
  for (let i = 0; ; i++) {
    const from = i < low.length ? DIGITS.indexOf(low.charAt(i)) : 0;
    const to = bounded && i < high.length ? DIGITS.indexOf(high.charAt(i)) : DIGITS.length;
    const middle = (from + to) >> 1;
    if (middle > from) return result + DIGITS.charAt(middle);
    result += DIGITS.charAt(from);
    // One digit below the upper bound everything that follows is free.
    if (to !== from) bounded = false;
  }
}
