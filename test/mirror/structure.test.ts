// SQLite reads through a large database in a process of its own; without one it is read all the same.
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { endOfTurn } from '../../src/base/index.ts';
import { databasePath, readMirror, type Mirror } from '../../src/mirror/index.ts';
import { structureOf, type StructureOptions } from '../../src/mirror/check/structure.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';

const LARGE = { smallBytes: 0 };

/** A program of its own, in the folder of a mirror. */
function program({ dataDir }: Mirror, text: string): URL {
  const file = join(dataDir, 'program.mjs');
  writeFileSync(file, text);
  return pathToFileURL(file);
}

const WAYS: Record<string, (mirror: Mirror) => StructureOptions> = {
  'at once': () => ({}),
  'in a process of its own': () => LARGE,
  'without one, as its program is gone': () => ({ ...LARGE, program: new URL('file:///nowhere/structure-process.js') }),
  'without one, as it ends without a word': (mirror) => ({ ...LARGE, program: program(mirror, '') }),
  'without one, as it fails': (mirror) => ({ ...LARGE, program: program(mirror, `throw new Error('no')`) }),
};

/** Makes an index forget all that it holds. */
function emptyIndex({ store: { driver }, dataDir }: Mirror): void {
  driver.pragma('wal_checkpoint(TRUNCATE)');
  const sql = `select rootpage from sqlite_schema where type = 'index' and tbl_name = 'versions' limit 1`;
  const page = Number(driver.prepare(sql).pluck().get());
  const file = openSync(databasePath(dataDir), 'r+');
  // The number of cells stands three bytes into a page.
  writeSync(file, Buffer.alloc(2), 0, 2, (page - 1) * Number(driver.pragma('page_size', { simple: true })) + 3);
  closeSync(file);
}

describe('mirror/check/structure', () => {
  it.each(Object.entries(WAYS))('finds what is wrong with the file %s, and nothing in a whole one', async (_, way) => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => void see(page('p1', 'text')));
    const options = way(made.mirror);
    expect(await structureOf(made.mirror, options)).toEqual([]);
    emptyIndex(made.mirror);
    using opened = readMirror(made.mirror);
    expect((await structureOf(opened, options)).join()).toContain('row 1 missing from index versions_current');
  });

  it('tells what the process said of a large file, and asks none about a small one', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const torn = program(mirror, `process.send(['torn'])`);
    expect(await structureOf(mirror, { ...LARGE, program: torn })).toEqual(['torn']);
    expect(await structureOf(mirror, { program: torn })).toEqual([]);
  });

  it('shows the process nothing of the environment but what it takes to begin: the token of the platform was in it', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const told = program(mirror, `process.send(Object.keys(process.env))`);
    vi.stubEnv('DOCMIRROR_TOKEN', 'planted');
    vi.stubEnv('SOMEBODYS_PASSWORD', 'planted');
    const names = await structureOf(mirror, { ...LARGE, program: told });
    vi.unstubAllEnvs();
    expect(names).toContain('PATH');
    expect(names.filter((name) => /DOCMIRROR|PASSWORD/.test(name))).toEqual([]);
  });

  it('ends when it is told to while SQLite reads through a large file: the command went on until all was read, Ctrl-C or not', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    // Nothing ends it from within, as nothing ends SQLite.
    const busy = program(mirror, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)');
    const stop = new AbortController();
    const looking = structureOf(mirror, { ...LARGE, program: busy, signal: stop.signal });
    await endOfTurn();
    stop.abort(new Error('told to end'));
    await expect(looking).rejects.toThrow('told to end');
  });
});
