// SQLite reads through a large database in a thread of its own; without one it is read all the same.
import { closeSync, openSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { databasePath, readMirror, type Mirror } from '../../src/mirror/index.ts';
import { structureOf } from '../../src/mirror/structure.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';

const LARGE = { smallBytes: 0 };
const program = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

const WAYS = {
  'at once': {},
  'in a thread': LARGE,
  'without a thread, as its program is gone': { ...LARGE, program: new URL('file:///nowhere/structure-thread.js') },
  'without a thread, as it ends without a word': { ...LARGE, program: program('') },
  'without a thread, as it fails': { ...LARGE, program: program(`throw new Error('no')`) },
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

describe('mirror/structure', () => {
  it.each(Object.entries(WAYS))('finds what is wrong with the file %s, and nothing in a whole one', async (_, way) => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => void see(page('p1', 'text')));
    expect(await structureOf(made.mirror, way)).toEqual([]);
    emptyIndex(made.mirror);
    using opened = readMirror(made.mirror);
    expect((await structureOf(opened, way)).join()).toContain('row 1 missing from index versions_current');
  });

  it('tells what the thread said of a large file', async () => {
    using made = await createTestMirror();
    const said = `(await import('node:worker_threads')).parentPort.once('message', function () { this.postMessage(['torn']) })`;
    expect(await structureOf(made.mirror, { ...LARGE, program: program(said) })).toEqual(['torn']);
    expect(await structureOf(made.mirror, { program: program(said) })).toEqual([]);
  });
});
