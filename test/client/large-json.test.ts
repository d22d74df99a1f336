import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, jsonText } from '../../src/base/index.ts';
import { itemsOf, LargeList, parseLarge } from '../../src/client/large-json.ts';

const FIELDS = new Set(['pages', 'files']);
// However short.
const ALL = { fields: FIELDS, short: 0 };

function large(text: string): unknown {
  return parseLarge(Buffer.from(text), ALL);
}

/** JSON in which lists of the names stand wherever they may: below the root, inside each other, inside other values. */
const trees = fc.letrec<{ tree: object }>((tie) => ({
  tree: fc.record(
    {
      id: fc.string(),
      title: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"]}', '\\', '{"pages":[', '\\"')),
      other: fc.jsonValue(),
      pages: fc.oneof(fc.array(tie('tree'), { maxLength: 3 }), fc.jsonValue()),
      files: fc.array(fc.jsonValue(), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
})).tree;

describe('client/large-json', () => {
  it('reads the same as JSON.parse, however it is laid out', () => {
    fc.assert(
      fc.property(trees, fc.constantFrom(0, 1, '\t'), (tree, indent) => {
        const text = JSON.stringify(tree, null, indent);
        expect(JSON.parse(JSON.stringify(large(text)))).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('refuses every JSON that broke off', () => {
    const text = JSON.stringify({
      id: 'r',
      pages: [{ id: 'a', pages: [{ id: 'b', title: 'x\\"' }] }, { id: 'c' }],
      files: [1],
    });
    for (let length = 0; length < text.length; length++)
      expect(() => large(text.slice(0, length)), `after ${length}`).toThrow(SyntaxError);
  });

  it.each([
    '{"pages":[{"id":1,}]}',
    '{"pages":[1 2]}',
    '{"pages":[1 23]}',
    '{"pages":[tru]}',
    '{"pages":[]}x',
    '{"pages":[,]}',
    '{"id":1 "pages":[]}',
    '{"pages":[],"files":[tru]}',
    '{"pages":[{"pages":[1 2],"files":[]}]}',
  ])('refuses %s', (text) => {
    expect(() => large(text)).toThrow(SyntaxError);
  });

  it('holds lists of the given names in their bytes, those within them too, and no others', () => {
    const answer = large('{"id":"r","pages":[{"id":"a","pages":[]}],"parents":[1]}') as Record<string, unknown>;
    expect(answer['pages']).toBeInstanceOf(LargeList);
    expect(answer['parents']).toEqual([1]);
    const [first] = itemsOf(answer['pages']);
    expect(first).toEqual({ id: 'a', pages: expect.any(LargeList) as LargeList });
  });

  it.each(['[LISTS]', '[{"id":"a","other":LISTS}]'])(
    'falls back to plain values where an item is nested without end, so that it is refused as a whole: %s',
    (items) => {
      const text = `{"pages":${items.replace('LISTS', `${'['.repeat(2000)}${']'.repeat(2000)}`)}}`;
      expect(Array.isArray((large(text) as Record<string, unknown>)['pages'])).toBe(true);
    },
  );

  it('falls back to plain values where lists stand in lists without end', () => {
    const levels = 2000;
    const text = `${'{"pages":['.repeat(levels)}${']}'.repeat(levels)}`;
    expect((large(text) as Record<string, unknown>)['pages']).toBeInstanceOf(Array);
  });

  it('goes into an object of such a name, and no deeper', () => {
    const inner = { nodes: [{ nodes: [1] }], document: { nodes: [2] } };
    const value = parseLarge(Buffer.from(JSON.stringify({ document: inner, other: inner })), {
      fields: new Set(['document', 'nodes']),
      short: 0,
    });
    const within = { nodes: expect.any(LargeList) as LargeList, document: { nodes: [2] } };
    expect(value).toEqual({ document: within, other: inner });
    expect(JSON.parse(jsonText(value))).toEqual({ document: inner, other: inner });
  });

  it('makes short items with all they hold: each of its levels would be gone through once more', () => {
    const value = parseLarge(Buffer.from('{"pages":[{"pages":[1]}]}'), { fields: FIELDS, short: 14 });
    expect([...itemsOf((value as Record<string, unknown>)['pages'])]).toEqual([{ pages: [1] }]);
  });

  it('is written as the values would be: text that is kept, and text that is compared, are the same either way', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const text = JSON.stringify(tree);
        expect(jsonText(large(text))).toBe(JSON.stringify(JSON.parse(text)));
        expect(canonicalJson(large(text))).toBe(canonicalJson(JSON.parse(text)));
      }),
    );
  });
});
