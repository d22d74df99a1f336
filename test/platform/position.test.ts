import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { positionBetween } from '../../src/platform/position.ts';
import { mergeOrder } from '../../src/platform/content/sibling-order.ts';

describe('platform/position', () => {
  it('lies strictly between its neighbours, wherever things are put', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 300 }), (places) => {
        const order: string[] = [];
        for (const place of places) {
          const index = place % (order.length + 1);
          order.splice(index, 0, positionBetween(order[index - 1] ?? null, order[index] ?? null));
        }
        expect(order.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(order);
        expect(new Set(order).size).toBe(order.length);
      }),
    );
  });

  it('stays short when things are only put at the end', () => {
    let last: string | null = null;
    for (let i = 0; i < 10_000; i++) last = positionBetween(last, null);
    expect(last).toHaveLength(8);
  });
});

describe('platform/content/sibling-order', () => {
  it('puts the wanted ones in their order and loses nobody', () => {
    const ids: fc.Arbitrary<string[]> = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'));
    fc.assert(
      fc.property(ids, ids, (present, wanted) => {
        const merged = mergeOrder(present, wanted);
        expect(merged.filter((id) => wanted.includes(id))).toEqual(wanted);
        expect(merged.toSorted()).toEqual([...new Set([...present, ...wanted])].toSorted());
        const others = present.filter((id) => !wanted.includes(id));
        expect(merged.filter((id) => others.includes(id))).toEqual(others);
      }),
    );
  });
});
