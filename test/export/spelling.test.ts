// File systems that list names otherwise than they were written. None that does is at hand everywhere, so the listing is given.
import { expect, it } from 'vitest';
import { Spelling } from '../../src/export/written/spelling.ts';

const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  '': ['README.md', 'SHA256SUMS', 'über/'],
  'über/': ['SUMMARY.md', 'café.md'],
};

/** @param listed Names by their folder as it was written. */
function spelling(listed: Readonly<Record<string, readonly string[]>>): Spelling {
  return new Spelling({
    root: '/export',
    written: (folder) => WRITTEN[folder] ?? [],
    listed: (place) => listed[place.slice('/export/'.length)] ?? [],
    isSame: () => true,
  });
}

it('export knows its files where the file system lists names in lower case, or takes letters apart: they passed for a person’s own, in the way of every new export', () => {
  const apart = 'über'.normalize('NFD');
  const café = 'café.md'.normalize('NFD');
  const own = spelling({ '': ['readme.md', 'sha256sums', apart, 'notes.md'], 'über/': ['summary.md', café] });
  const listed = ['readme.md', 'sha256sums', 'notes.md', `${apart}/`, `${apart}/summary.md`, `${apart}/${café}`];
  expect(listed.map((path) => own.of(path))).toEqual([
    'README.md',
    'SHA256SUMS',
    'notes.md',
    'über/',
    'über/SUMMARY.md',
    'über/café.md',
  ]);
});

it('export leaves a person’s file alone that has the name of one of its own but for the case', () => {
  const own = spelling({ '': ['README.md', 'readme.md'] });
  expect(own.of('readme.md')).toBe('readme.md');
});
