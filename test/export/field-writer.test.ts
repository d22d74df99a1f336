import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FieldWriter } from '../../src/export/layout/field-writer.ts';

const word = fc.constantFrom(
  'null',
  'True',
  'no',
  'e1',
  '0x1',
  '1',
  'Person',
  '.inf',
  'y',
  'On',
  '12:30',
  '2025-01-01',
  '1_000',
  '=',
  '<<',
  '~',
  '-',
  ':',
  '#',
  'ä',
  '',
);
const words = fc
  .array(word)
  .chain((all) => fc.constantFrom(...[' ', '-', '', '\n'].map((between) => all.join(between))));
// There is one zero.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((drawn) => (drawn === 0 ? 0 : drawn));
const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const text = fc.oneof(words, time, fc.string(), fc.string({ unit: 'binary' }));
const value = fc.oneof(text, fc.integer(), number, fc.boolean(), fc.constant(null));

// What some readers of YAML refuse, or take for the end of a line; this library reads it.
// oxlint-disable-next-line no-control-regex -- these are the signs that are meant
const UNREADABLE = /[\t\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/;

describe('export/layout/field-writer', () => {
  it('writes fields that readers of YAML 1.1 and of 1.2 read as they are: the description "No" was false to many, and "12:30" was 750', () => {
    const writer = new FieldWriter();
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('title', 'description', 'number'), value), (fields) => {
        const known = { ...fields, layout: { cover: true, depth: 2 } };
        const written = writer.write(known);
        expect(parse(written)).toEqual(known);
        expect(parse(written, { version: '1.1' })).toEqual(known);
        expect(written).not.toMatch(UNREADABLE);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['a\tb', 'a\u2028b', '\u2029', 'a\u0085', 'a\u0096b', '\u007F', '\uFEFFa', 'a\nb\u2028'])(
    'escapes what makes a head unreadable for many tools, or another text to them: %j',
    (description) => {
      const written = new FieldWriter().write({ description, cover: { [description]: description } });
      expect(written).not.toMatch(UNREADABLE);
      expect(parse(written)).toEqual({ description, cover: { [description]: description } });
    },
  );

  it('quotes the sign for a default value, which YAML 1.1 has and the library does not know', () => {
    expect(new FieldWriter().write({ description: '=' })).toBe('description: "="\n');
  });

  it('leaves words and times of fields that are times as they are', () => {
    const fields = { subject: 'Fix the guide', createdAt: '2026-03-01T12:00:00.000Z', outdated: false };
    const written = 'subject: Fix the guide\ncreatedAt: 2026-03-01T12:00:00.000Z\noutdated: false\n';
    expect(new FieldWriter().write(fields)).toBe(written);
  });
});
