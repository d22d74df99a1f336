// An export keeps notes of itself, its manifest and its index: what they have wrongly, readers and the next export go by.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { checkExport, checkNote, exportSnapshot, type ExportResult } from '../../src/export/index.ts';
import { forget } from '../../src/mirror/index.ts';
import { givenExportPlace, readTree, type ExportPlace } from '../support/export-place.ts';

const PAGE_BYTES = 4096;
const MANIFEST = '.docmirror-export.json';

let place: ExportPlace;
givenExportPlace((given) => (place = given));

async function exported(text = 'Text.'): Promise<ExportResult> {
  const pages = Array.from({ length: 300 }, (_, nth) => ({ id: `p${nth}`, title: `Page ${nth}`, text: `${nth}` }));
  const all = [...pages, { id: 'last', title: 'Last', text }];
  const snapshot = await place.world.add({ spaces: [{ id: 's', title: 'Space', pages: all }] });
  return exportSnapshot({ mirror: place.world.mirror, snapshot, to: place.to });
}

function indexPath(): string {
  return join(place.to, '.docmirror-index.db');
}

/** As a disk does that gives back other bytes: SQLite opens the file, and meets the damage on the way. */
function damageIndex(): void {
  const bytes = readFileSync(indexPath());
  for (let page = 5; page < bytes.length / PAGE_BYTES; page++)
    bytes.fill(0x41, page * PAGE_BYTES + 8, page * PAGE_BYTES + 1500);
  writeFileSync(indexPath(), bytes);
}

function editNote(edit: (text: string) => string): void {
  const path = join(place.to, MANIFEST);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}

async function problems(): Promise<string[]> {
  const found = [...(await checkExport(place.to)), ...(await checkNote(place.to, place.world.mirror))];
  return found.map(({ which, problem, heals }) => `${which}: ${problem}${heals === true ? ' (heals)' : ''}`);
}

describe('export/written/check-export, of what an export notes of itself', () => {
  it('finds nothing in notes that are whole', async () => {
    await exported();
    await exported('other');
    expect(await problems()).toEqual([]);
  });

  it('names an index that is damaged: it was called whole, and each later export failed at it', async () => {
    await exported();
    damageIndex();
    expect(await problems()).toEqual(['.docmirror-index.db: it is damaged as a database']);
    writeFileSync(indexPath(), 'no database at all, and longer than the header of one would be'.repeat(100));
    expect(await problems()).toEqual(['.docmirror-index.db: it is damaged as a database']);
  });

  it('names an index with another hash than the list: the next export wrote it into SHA256SUMS', async () => {
    await exported();
    const driver = new Database(indexPath());
    driver.exec("update files set sha256 = zeroblob(32) where path like '%page-7.md'");
    driver.close();
    expect(await problems()).toEqual([
      '.docmirror-index.db: it names other files or hashes than SHA256SUMS, and the next export would go by it',
    ]);
  });

  it('takes an index for whole that a kill left newer than the note beside it', async () => {
    await exported();
    const driver = new Database(indexPath());
    driver.exec("update meta set value = 'of the next list' where name = 'sums'");
    driver.close();
    expect(await problems()).toEqual([]);
  });

  it('says that the note cannot be read, rather than that SHA256SUMS is another: that was advised to be deleted', async () => {
    await exported();
    editNote((text) => text.slice(0, 100));
    expect(await problems()).toEqual([`${MANIFEST}: it cannot be read any more (heals)`]);
    await exported();
    expect(await problems()).toEqual([]);
  });
});

describe('export/written/check-note', () => {
  it('names a note of a snapshot that the mirror does not have: an export of it was called whole', async () => {
    await exported();
    editNote((text) => text.replace('"snapshot": 1', '"snapshot": 7'));
    const said = 'it says that this is snapshot 7, and the newest in mirror.db is 1';
    expect(await problems()).toEqual([`${MANIFEST}: ${said} (heals)`]);
    await exported();
    expect(await problems()).toEqual([]);
  });

  it('names a note that tells of its snapshot what the mirror does not', async () => {
    await exported();
    editNote((text) => text.replace('"state": "complete"', '"state": "partial"'));
    const said = 'it says of snapshot 1 that state is "partial", and in mirror.db it is "complete"';
    expect(await problems()).toEqual([`${MANIFEST}: ${said} (heals)`]);
  });

  it('finds nothing wrong in the export of a snapshot that was forgotten, nor in that of another mirror', async () => {
    await exported();
    await place.world.add({ spaces: [{ id: 's', title: 'Space' }] });
    atOnce(forget(place.world.mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
    expect(await problems()).toEqual([]);
    editNote((text) =>
      text.replace(/"mirror": "\w+"/, '"mirror": "another"').replace('"snapshot": 1', '"snapshot": 9'),
    );
    expect(await problems()).toEqual([]);
  });
});

describe('export/export-snapshot, by an index that is damaged', () => {
  it('makes everything anew: each night failed, and said that the mirror was damaged and a new one might be begun', async () => {
    await exported();
    damageIndex();
    const again = await exported('other');
    expect(again).toMatchObject({ pages: 301, foreign: 0 });
    expect(await problems()).toEqual([]);
    expect(readTree(place.above, [])[`content/acme/space/last.md`]).toContain('other');
    expect(await exported('other')).toMatchObject({ written: 0 });
  });

  it('makes everything anew where the index is another database than it was: that was told as a fault of ours, each night', async () => {
    await exported();
    const driver = new Database(indexPath());
    // As if an earlier page of the file stood there again.
    driver.exec(
      "update spaces set path = 'acme/elsewhere'; update files set owner = 'page/p1' where path like '%page-2.md'",
    );
    driver.exec(
      "insert into files select 'acme/' || path, 99, part, owner, reach, sha256, size, mtime, seen, written, lost from files",
    );
    driver.close();
    expect(await exported('other')).toMatchObject({ pages: 301 });
    expect(await problems()).toEqual([]);
  });
});
