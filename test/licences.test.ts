// THIRD-PARTY-LICENCES.md against what is installed; `UPDATE_DOCS=1` writes it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAllowed, licencesDocument, shipped } from './support/licences.ts';

const FILE = 'THIRD-PARTY-LICENCES.md';
const all = shipped();

if (process.env['UPDATE_DOCS'] === '1') writeFileSync(FILE, licencesDocument(all));

describe('THIRD-PARTY-LICENCES.md', () => {
  it('lists every production dependency, direct or brought along, with version and licence', () => {
    expect(all.length).toBeGreaterThan(50);
    expect(readFileSync(FILE, 'utf8')).toBe(licencesDocument(all));
  });

  it('names the versions that are installed', () => {
    for (const { name, version, path } of all.filter((one) => existsSync(one.path))) {
      const own = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { version: string };
      expect([name, own.version]).toEqual([name, version]);
    }
  });

  it('holds no licence that is not allowed', () => {
    expect(all.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
  });

  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['(MIT AND Zlib)', true],
    ['GPL-3.0-only', false],
    ['(MIT AND GPL-3.0-only)', false],
    ['BSD', false],
    ['none', false],
    ['SEE LICENSE IN LICENSE', false],
  ])('takes %s for %s', (licence, allowed) => {
    expect(isAllowed(licence)).toBe(allowed);
  });
});
