import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  badFileNames,
  bannedWords,
  cycles,
  droppedPieces,
  IMPORT_TABLE,
  importTableViolations,
  importsOf,
  sideDoorViolations,
  tooLong,
  unknownRooms,
} from './support/architecture-rules.ts';

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.posix.join(entry.parentPath, entry.name));
}

const sources = new Map(filesUnder('src').map((file) => [file, readFileSync(file, 'utf8')]));

function sample(files: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(files));
}

describe('the architecture of src', () => {
  it('has only rooms of the import table', () => {
    expect(unknownRooms(sources)).toEqual([]);
  });

  it('keeps to the import table', () => {
    expect(importsOf(sources).length).toBeGreaterThan(20);
    expect(importTableViolations(sources)).toEqual([]);
  });

  it('enters rooms by their index.ts', () => {
    expect(sideDoorViolations(sources)).toEqual([]);
  });

  it('has no cycles', () => {
    expect(cycles(sources)).toEqual([]);
  });

  it('has no file over 300 lines outside the contract', () => {
    expect(tooLong(sources)).toEqual([]);
  });

  it('takes time, chance, environment and process from base', () => {
    expect(bannedWords(sources)).toEqual([]);
  });

  it('takes all work that is done in pieces: of what nobody takes, nothing is done', () => {
    const tests = filesUnder('test').map((file): [string, string] => [file, readFileSync(file, 'utf8')]);
    expect(droppedPieces(new Map([...sources, ...tests]))).toEqual([]);
  });

  it('names files in kebab-case', () => {
    expect(badFileNames([...sources.keys(), ...filesUnder('test')])).toEqual([]);
  });
});

describe('support/architecture-rules', () => {
  it('has a table without cycles', () => {
    const table = Object.entries(IMPORT_TABLE).flatMap(([room, allowed]): [string, string][] => [
      [`src/${room}.ts`, allowed.map((other) => `import { x } from './${other}.ts';`).join('\n')],
    ]);
    expect(cycles(new Map(table))).toEqual([]);
  });

  it.each([
    "import { a } from '../mirror/index.ts';",
    "import type { A } from '../mirror/index.ts';",
    "import {\n  a,\n  b,\n} from '../mirror/index.ts';",
    "export * from '../mirror/index.ts';",
    "export { a } from '../mirror/index.ts';",
    "const a = await import('../mirror/index.ts');",
    "import '../mirror/index.ts';",
  ])('finds a forbidden import: %s', (text) => {
    expect(importTableViolations(sample({ 'src/client/a.ts': text }))).toHaveLength(1);
    expect(importTableViolations(sample({ 'src/walker/a.ts': text }))).toEqual([]);
  });

  it('finds an import in a folder of a room, and lets nobody import the command line', () => {
    const text = "import { a } from '../../cli/index.ts';";
    expect(importTableViolations(sample({ 'src/status/pages/a.ts': text, 'src/daemon/x/a.ts': text }))).toHaveLength(2);
    expect(importTableViolations(sample({ 'src/app.ts': "import { a } from './cli/index.ts';" }))).toHaveLength(1);
  });

  it('reads no import from a comment', () => {
    expect(importsOf(sample({ 'src/base/a.ts': "// import { a } from '../cli/index.ts';" }))).toEqual([]);
  });

  it('finds a room that is not in the table', () => {
    expect(unknownRooms(sample({ 'src/utils/a.ts': '' }))).toEqual(['utils']);
  });

  it('finds a side door', () => {
    expect(sideDoorViolations(sample({ 'src/cli/a.ts': "import { a } from '../mirror/objects.ts';" }))).toHaveLength(1);
    expect(sideDoorViolations(sample({ 'src/cli/a.ts': "import { a } from '../app.ts';" }))).toEqual([]);
  });

  it('finds a cycle of files and forgives a cycle of types', () => {
    const a = "import { b } from './b.ts';";
    expect(cycles(sample({ 'src/base/a.ts': a, 'src/base/b.ts': "import { a } from './a.ts';" }))).toHaveLength(1);
    expect(cycles(sample({ 'src/base/a.ts': a, 'src/base/b.ts': "import type { A } from './a.ts';" }))).toEqual([]);
  });

  it.each([
    'prune(mirror);',
    'if (isDue) prune(mirror);',
    'else prune(mirror);',
    'void prune(mirror);',
    'for (const one of all) {\n  prune(one);\n}',
    'mirror.store.longTransaction(() => work(mirror));',
  ])('finds work in pieces that nobody takes: %s', (text) => {
    const made = `export function* prune(mirror: Mirror): Pieces<Pruned> {}
      interface Store { longTransaction<T>(work: () => Pieces<T>): Pieces<T>; }`;
    const files = (caller: string) =>
      sample({ 'src/mirror/a.ts': made, 'src/cli/a.ts': `import { prune } from '../mirror/index.ts';\n${caller}` });
    expect(droppedPieces(files(text))).toHaveLength(1);
    for (const taken of [
      'yield* prune(mirror);',
      'inTurns(prune(mirror), signal);',
      'const work = () => prune(mirror);',
    ])
      expect(droppedPieces(files(taken))).toEqual([]);
    expect(droppedPieces(sample({ 'src/mirror/a.ts': made, 'src/cli/a.ts': 'prune(tree);' }))).toEqual([]);
  });

  it('finds a file that is too long', () => {
    const long = 'x;\n'.repeat(301);
    expect(tooLong(sample({ 'src/cli/a.ts': long, 'src/contract/a.ts': long }))).toHaveLength(1);
    expect(tooLong(sample({ 'src/cli/a.ts': 'x;\n'.repeat(300) }))).toEqual([]);
  });

  it.each([
    'Date.now()',
    'new Date()',
    'performance.now()',
    'setTimeout(() => {}, 5)',
    'setImmediate(done)',
    'Math.random()',
    'randomUUID()',
    'process.env.HOME',
    '`${process.env.HOME}`',
    'process.exit(1)',
    'process.exitCode = 1',
    "console.log('x')",
    // In pieces, so that who searches the tree for these finds only what is meant.
    ['// @ts', 'ignore'].join('-'),
    ['x', 'as', 'any'].join(' '),
    'const x: any = 1',
  ])('finds a banned word: %s', (code) => {
    expect(bannedWords(sample({ 'src/cli/a.ts': code }))).toHaveLength(1);
    expect(bannedWords(sample({ 'src/base/a.ts': code }))).toEqual([]);
  });

  it.each([
    '// Date.now() is not for us',
    "'process.env'",
    'new Date(ms)',
    'clock.setTimeout(1)',
    'company as anything',
  ])('lets pass: %s', (code) => {
    expect(bannedWords(sample({ 'src/cli/a.ts': code }))).toEqual([]);
  });

  it('finds a file name that is not kebab-case', () => {
    expect(badFileNames(['src/a/fooBar.ts', 'src/a/foo_bar.ts', 'src/a/foo-bar.ts', 'test/a/x.test.ts'])).toHaveLength(
      2,
    );
  });
});
