// Listings of thousands of items are never held as values: until they were read to their end they wait as compressed text.
import { describe, expect, it } from 'vitest';
import { LazyList } from '../../src/base/index.ts';
import { Gathered } from '../../src/walker/gathered.ts';
import { eachOnce } from '../../src/walker/visits/parts.ts';

const commentsOf = (ids: readonly string[]): Gathered => {
  const gathered = new Gathered();
  for (const [number, id] of ids.entries()) gathered.add([{ id, number }]);
  return gathered;
};
const thousands = Array.from({ length: 2500 }, (_, number) => `c${number}`);

describe('walker/listing, thousands of items', () => {
  it('stay compressed when each is looked for once: 200,000 comments of one space took 487 MiB', () => {
    const items = commentsOf(thousands).items();
    expect(items).toBeInstanceOf(LazyList);
    expect(eachOnce('comment', items)).toBe(items);
  });

  it('stay compressed where one is shown twice, which stands where it came first as it was shown last', () => {
    const each = eachOnce('comment', commentsOf([...thousands, 'c7', 'c7']).items());
    expect(each).toBeInstanceOf(LazyList);
    expect([each.length, [...each].slice(6, 9)]).toEqual([
      2500,
      [
        { id: 'c6', number: 6 },
        { id: 'c7', number: 2501 },
        { id: 'c8', number: 8 },
      ],
    ]);
  });
});
