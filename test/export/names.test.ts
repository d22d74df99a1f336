import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { posix, win32 } from 'node:path';
import { resolveInside } from '../../src/base/index.ts';
import { allocateNames, foldName, slugName, splitExtension } from '../../src/export/layout/names.ts';

function named(...names: string[]): string[] {
  const given = allocateNames(names.map((name, index) => ({ id: `id${index}`, name })));
  return names.map((_, index) => given.get(`id${index}`) ?? '');
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '',
    '.',
    '..',
    '/',
    'a/b',
    'CON',
    'con.txt',
    'a.',
    'a ',
    ' a',
    '.a',
    'A',
    'a',
    'ß',
    'ss',
    'SS',
    'é',
    'e\u0301',
    'ﬁ',
    'fi',
    '\u202Egnp.exe',
    '\uD800',
    'İ',
    'i̇',
    'ſ',
    's',
    'x'.repeat(300),
    '日'.repeat(100),
  ),
);
const requests = fc.uniqueArray(
  fc.record({ id: fc.string({ maxLength: 6 }), name: hostile, extension: fc.constantFrom('', '.md', '.png') }),
  { selector: ({ id }) => id, maxLength: 40 },
);

describe('export/layout/names', () => {
  it('gives every request a name that no other has on any file system', () => {
    fc.assert(
      fc.property(requests, (wanted) => {
        const names = [...allocateNames(wanted).values()];
        expect(names).toHaveLength(wanted.length);
        for (const fold of [foldName, lower, upper, decomposed])
          expect(new Set(names.map(fold)).size).toBe(names.length);
      }),
    );
  });

  it('gives names that are one plain, bounded, portable part of a path', () => {
    fc.assert(
      fc.property(requests, (wanted) => {
        for (const name of allocateNames(wanted).values()) {
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(80);
          expect(name).toBe(Buffer.from(name).toString());
          expect(name).toBe(name.normalize('NFC'));
          expect(name).not.toMatch(/^[. ]|[. ]$|[<>:"/\\|?*\p{Cc}\p{Cf}]|^$/u);
          expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
          expect(posix.basename(name)).toBe(name);
          expect(win32.basename(name)).toBe(name);
          expect(resolveInside('/root', name)).toBe(`/root/${name}`);
        }
      }),
    );
  });

  it('does not depend on the order of the requests', () => {
    fc.assert(
      fc.property(requests, (wanted) => {
        const there = allocateNames(wanted);
        const back = allocateNames([...wanted].reverse());
        for (const { id } of wanted) expect(back.get(id)).toBe(there.get(id));
      }),
    );
  });

  it('keeps a name when a later sibling wants the same', () => {
    const before = allocateNames([{ id: 'a', name: 'Guide' }]);
    const after = allocateNames([
      { id: 'b', name: 'guide' },
      { id: 'a', name: 'Guide' },
    ]);
    expect(after.get('a')).toBe(before.get('a'));
    expect(after.get('b')).toMatch(/^guide-[0-9a-f]{8}$/);
  });

  it('changes no name when younger siblings come, whatever they want to be called', () => {
    fc.assert(
      fc.property(requests, requests, fc.nat(), (there, more, from) => {
        const aged = there.map((request, age) => ({ ...request, id: `a${request.id}`, age: age + 1 }));
        const before = allocateNames(aged);
        const mean = [...before.values()].map((name, index) => ({ id: `m${index}`, name, age: from + 1000 }));
        const younger = [...more.map((request) => ({ ...request, id: `b${request.id}`, age: from + 1000 })), ...mean];
        const after = allocateNames([...younger, ...aged]);
        for (const { id } of aged) expect(after.get(id)).toBe(before.get(id));
        expect(new Set([...after.values()].map(foldName)).size).toBe(aged.length + younger.length);
      }),
    );
  });

  it('keeps scripts of every kind and never gives an empty name', () => {
    expect(named('日本語', 'Ünïcode', '', '...', '/')).toEqual([
      '日本語',
      'Ünïcode',
      'untitled',
      expect.stringMatching(/^untitled-/),
      '-',
    ]);
    expect(slugName('はじめに: 日本語 ガイド')).toBe('はじめに-日本語-ガイド');
    expect(slugName('🎉 !!')).toBe('');
  });

  it('keeps the extension of a name that is cut', () => {
    const { name, extension } = splitExtension(`${'x'.repeat(200)}.png`);
    expect(allocateNames([{ id: 'a', name, extension }]).get('a')).toMatch(/^x{60,}-[0-9a-f]{8}\.png$/);
    expect(splitExtension('.env')).toEqual({ name: '.env', extension: '' });
  });

  it('keeps the extension of a name of dots: without it a text came back as bytes of no type', () => {
    expect(splitExtension('..txt')).toEqual({ name: '.', extension: '.txt' });
    expect(allocateNames([{ id: 'a', ...splitExtension('..txt') }]).get('a')).toBe('untitled.txt');
    expect(splitExtension('a..txt')).toEqual({ name: 'a..txt', extension: '' });
  });

  it('gives no reserved name', () => {
    expect(allocateNames([{ id: 'a', name: 'ReadMe' }], { reserved: ['readme'] }).get('a')).toMatch(
      /^ReadMe-[0-9a-f]{8}$/,
    );
  });

  it('gives no name that Windows keeps for a device, or that git takes for its own folder', () => {
    const names = allocateNames([
      { id: 'a', name: 'COM¹' },
      { id: 'b', name: 'git~1' },
      { id: 'c', name: 'aux' },
    ]);
    expect([...names.values()]).toEqual(['_COM¹', '_git~1', '_aux']);
  });
});

function lower(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function upper(name: string): string {
  return name.normalize('NFC').toUpperCase();
}

function decomposed(name: string): string {
  return name.normalize('NFD').toLowerCase();
}
