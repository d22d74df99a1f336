// docs/security.md against the tree: what it names is there, and what it says of the whole source is so.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const text = readFileSync('docs/security.md', 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('| ') && line.includes('`src/'));

const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name))
    .map((file): [string, string] => [file, readFileSync(file, 'utf8')]),
);

/** Titles as they stand in a test, without the marks by which it writes them. */
function plain(title: string): string {
  return title.replaceAll(/[\\'"`]/g, '').replaceAll(/\s+/g, ' ');
}

/** Each test that a line names: the file, then one or more titles. */
function testsIn(line: string): [string, string][] {
  let file = '';
  return [...line.matchAll(/`(test\/[\w./-]+\.test\.ts)`|“([^”]+)”/g)].flatMap(
    ([, named, title]): [string, string][] => {
      file = named ?? file;
      return title === undefined ? [] : [[file, title]];
    },
  );
}

describe('docs/security.md', () => {
  it('names files that are there', () => {
    const named = [...text.matchAll(/`((?:src|test|native|docs|config|\.ci)\/[\w./-]+|[\w-]+\.(?:md|json))`/g)];
    expect(named.length).toBeGreaterThan(60);
    expect(named.map(([, file = '']) => file).filter((file) => !existsSync(file))).toEqual([]);
  });

  it('names tests that are there', () => {
    const tests = rows.flatMap(testsIn);
    expect(tests.length).toBeGreaterThan(30);
    for (const [file, title] of tests) {
      expect([file, title, plain(readFileSync(file, 'utf8')).includes(plain(title))]).toEqual([file, title, true]);
    }
  });

  it('gives each promise a file that keeps it and a test that proves it', () => {
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) {
      const [, promise = '', kept = '', proven = ''] = row.split(' | ').map((cell) => cell.trim());
      expect([promise, /`src\//.test(row), /`test\//.test(`${kept}${proven}`)]).toEqual([promise, true, true]);
    }
  });

  it('names the versions that are installed, none of them older than what mends an advisory', () => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    const looked = [...text.matchAll(/^\| ([@\w./-]+)(?: \([^)]*\))? \| (\d+\.\d+\.\d+) \|.*\| (\d+\.\d+\.\d+) \|$/gm)];
    expect(looked.length).toBeGreaterThan(5);
    for (const [, name = '', here = '', mended = ''] of looked) {
      expect([name, here]).toEqual([name, lock.packages[`node_modules/${name}`]?.version]);
      expect([name, here.localeCompare(mended, 'en', { numeric: true }) >= 0]).toEqual([name, true]);
    }
  });

  it('names every file that takes a secret out of its wrapping', () => {
    const revealing = [...sources].filter(([, code]) => code.includes('.reveal()')).map(([file]) => file);
    const sentence = /^These files are (.*)$/m.exec(text)?.[1] ?? '';
    const named = [...sentence.matchAll(/`(src\/[\w./-]+)`/g)].map(([, file = '']) => file);
    expect(named.toSorted()).toEqual(revealing.toSorted());
  });

  it('gives no program that is started the environment of this one', () => {
    const starting = [...sources].filter(([, code]) => code.includes(`'node:child_process'`));
    expect(starting.map(([file]) => file)).toEqual(
      expect.arrayContaining(['src/export/git/git.ts', 'src/mirror/check/structure.ts']),
    );
    for (const [file, code] of starting) expect([file, code.includes('forProgram(')]).toEqual([file, true]);
  });

  it('compares secrets in constant time wherever it compares them', () => {
    const comparing = [...sources].filter(([, code]) => code.includes('timingSafeEqual(')).map(([file]) => file);
    expect(comparing).toEqual(expect.arrayContaining(['src/status/access.ts', 'src/replica/replica.ts']));
    const careless = /[!=]==? *\w+(\??\.\w+)*\.reveal\(\)|\.reveal\(\) *[!=]==?/;
    const found = [...sources].filter(([, code]) => careless.test(code)).map(([file]) => file);
    expect(found).toEqual([]);
  });
});
