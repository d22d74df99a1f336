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

  it('lies at either end beside what was put between others that are gone: the end came before the beginning', () => {
    const one = positionBetween(null, null);
    const before = positionBetween(null, one);
    const between = positionBetween(before, one);
    expect(positionBetween(between, null) > between).toBe(true);
    expect(positionBetween(null, between) < between).toBe(true);
    // As an earlier platform wrote them.
    for (const old of ['3Z', '4000000Z']) {
      expect(positionBetween(old, null) > old).toBe(true);
      expect(positionBetween(null, old) < old).toBe(true);
    }
    const place = fc.record({
      to: fc.constantFrom('start', 'end', 'inside'),
      which: fc.nat(1000),
      isGone: fc.boolean(),
    });
    const indexIn = (length: number, { to, which }: { to: string; which: number }): number =>
      to === 'inside' ? which % (length + 1) : to === 'start' ? 0 : length;
    fc.assert(
      fc.property(fc.array(place, { maxLength: 200 }), (places) => {
        const order: string[] = [];
        for (const one of places) {
          if (one.isGone) order.splice(indexIn(Math.max(order.length - 1, 0), one), 1);
          const index = indexIn(order.length, one);
          order.splice(index, 0, positionBetween(order[index - 1] ?? null, order[index] ?? null));
          expect(order.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(order);
          expect(new Set(order).size).toBe(order.length);
        }
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

  it.each([
    ['after the one that it follows', 'a b c', 'b x y', 'a b x y c'],
    ['before the first that was there, at the beginning', 'a b c', 'x b', 'a x b c'],
    ['last, where none of its siblings was there', 'a b', 'x y', 'a b x y'],
    ['at the places of those that come in another order', 'a b c d', 'x d y b', 'a x d y c b'],
  ])('puts what is new %s', (...[, present, wanted, merged]) => {
    expect(mergeOrder(present.split(' '), wanted.split(' '))).toEqual(merged.split(' '));
  });

  it('takes any number of new siblings in: an import of 40,000 beside as many kept the platform from all else for a minute', () => {
    const many = (name: string): string[] => Array.from({ length: 150_000 }, (_, index) => `${name}${index}`);
    expect(mergeOrder(many('old'), many('new'))).toEqual([...many('old'), ...many('new')]);
  });
});
