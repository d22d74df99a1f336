// Positions among siblings as text that sorts bytewise: eight digits and, between two neighbours, more characters. Putting
// something between two others changes neither, which keeps page tokens valid.
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const WIDTH = 8;
const START = 40_000_000;
const WHOLE = new RegExp(`^\\d{${WIDTH}}`);

/** A position after `before` and ahead of `after`; null stands for the beginning or the end. */
export function positionBetween(before: string | null, after: string | null): string {
  if (before === null && after === null) return String(START);
  if (after === null) return step(before ?? '', 1);
  if (before === null) return step(after, -1);
  return midpoint(before, after);
}

// Databases of before hold positions with a letter among the first eight characters, where a number went over to its next ten.
function step(position: string, by: 1 | -1): string {
  const head = position.slice(0, WIDTH);
  const [digits = ''] = /^\d*/.exec(head) ?? [];
  const number = by === -1 && digits !== head ? Number(digits) : Number(digits) + by;
  return String(number).padStart(digits.length, '0').padEnd(WIDTH, '0');
}

function midpoint(low: string, high: string): string {
  if (!WHOLE.test(low) || !WHOLE.test(high)) return textBetween(low, high);
  const [from, to] = [Number(low.slice(0, WIDTH)), Number(high.slice(0, WIDTH))];
  if (to - from > 1) return String(Math.floor((from + to) / 2)).padStart(WIDTH, '0');
  return low.slice(0, WIDTH) + textBetween(low.slice(WIDTH), from === to ? high.slice(WIDTH) : null);
}

/** Text that sorts after `low` and ahead of `high`; null is no bound. */
function textBetween(low: string, high: string | null): string {
  let result = '';
  let bound = high;
  for (let i = 0; ; i++) {
    const from = i < low.length ? DIGITS.indexOf(low.charAt(i)) : 0;
    const to = bound !== null && i < bound.length ? DIGITS.indexOf(bound.charAt(i)) : DIGITS.length;
    const middle = (from + to) >> 1;
    if (middle > from) return result + DIGITS.charAt(middle);
    result += DIGITS.charAt(from);
    // One digit below the upper bound everything that follows is free.
    if (to !== from) bound = null;
  }
}
