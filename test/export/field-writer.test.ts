import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
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
const value = fc.oneof(words, fc.string(), time, fc.integer(), number, fc.boolean(), fc.constant(null));

describe('export/layout/field-writer', () => {
  it('writes every field as the library does', () => {
    const writer = new FieldWriter();
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('title', 'description', 'number', 'createdAt'), value), (fields) => {
        const known = { ...fields, layout: { cover: true, depth: 2 } };
        expect(writer.write(known)).toBe(stringify(known, { lineWidth: 0 }));
      }),
      { numRuns: 1000 },
    );
  });
});
