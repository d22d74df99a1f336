import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastSealed, recipeOf, runQuery } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';

const SQL = recipeOf('orphan-files')?.sql ?? '';

let made: TestMirror;

beforeEach(async () => {
  made = await createTestMirror();
});

afterEach(() => made[Symbol.dispose]());

/** Takes in a space with one file and pages of these texts, and another space with pages of its own. */
function see(fileId: string, texts: readonly string[], elsewhere: readonly string[] = []): void {
  takeSnapshot(made.mirror, (hand) => {
    for (const spaceId of ['s1', 's2'])
      hand.see({ kind: 'space', params: { spaceId }, body: { object: 'space', id: spaceId, title: spaceId } });
    hand.see({ kind: 'file', params: { spaceId: 's1', fileId }, body: { id: fileId, name: 'a.png', size: 1 } });
    for (const [n, text] of texts.entries()) hand.see(page(`p${n}`, text));
    for (const [n, text] of elsewhere.entries())
      hand.see({ ...page(`q${n}`, text), params: { spaceId: 's2', pageId: `q${n}` } });
  });
}

/** What an SQLite answers that knows none of Docmirror's functions. Docmirror answers the same. */
function orphansNow(): unknown[] {
  using plain = closing(new Database(join(made.dataDir, 'mirror.db'), { readonly: true }));
  const bare = plain.driver.prepare<[], unknown[]>(SQL).raw().all();
  expect(runQuery(made.dataDir, SQL, null).rows).toEqual(bare);
  return bare;
}

/** And it goes on to do so of that snapshot, once all that it shows is gone. */
function orphans(): unknown[] {
  const found = orphansNow();
  const last = lastSealed(made.mirror)?.id ?? 0;
  takeSnapshot(made.mirror, ({ bury }) => bury('space', 's1'));
  expect(runQuery(made.dataDir, SQL, last).rows).toEqual(found);
  return found;
}

function closing(driver: Database.Database): Disposable & { readonly driver: Database.Database } {
  return { driver, [Symbol.dispose]: () => void driver.close() };
}

const LISTED = [['s1', 'a.png', 1]];
const ODD_IDS = ['THE', 'we"ird', '"', '---', 'a-b', "it's", 'é', '"; drop', 'a* OR b', '%', 'title : x'];

describe('mirror/views/recipes, orphan-files', () => {
  it('lists a file whose id is a word of some page in other letters: it took the word for the id', () => {
    see('THE', ['What the page says.']);
    expect(orphans()).toEqual(LISTED);
  });

  it('lists a file of whose id only the words stand in some page', () => {
    see('a-b', ['See a b.', 'And a_b.']);
    expect(orphans()).toEqual(LISTED);
  });

  it.each(ODD_IDS)('lists a file %s that nothing shows: a quote in it ended the recipe', (id) => {
    see(id, ['Nothing of it.'], [`![](/files/${id})`]);
    expect(orphans()).toEqual(LISTED);
  });

  it.each(ODD_IDS)('does not list a file %s that a page shows, whether its id has a word or none', (id) => {
    see(id, ['First.', `See ![](/files/${id})`]);
    expect(orphans()).toEqual([]);
  });

  it.each(['y2Z:835', 'a b', 'x=1&y', '5%', 'a@b', 'a/b', 'a\\b'])(
    'does not list a file %s that a page shows by an address, in which its id is encoded: whoever cleaned up by it took it away',
    (id) => {
      see(id, [`See ![](/files/${encodeURIComponent(id)}).`]);
      expect(orphans()).toEqual([]);
      see(id, ['Nothing of it.'], [`![](/files/${encodeURIComponent(id)})`]);
      expect(orphans()).toEqual(LISTED);
    },
  );

  it('takes a file for shown by the text alone, not by a title that has its id', () => {
    takeSnapshot(made.mirror, ({ see: add }) => {
      add({ kind: 'space', params: { spaceId: 's1' }, body: { object: 'space', id: 's1', title: 's1' } });
      add({ kind: 'file', params: { spaceId: 's1', fileId: 'f1' }, body: { id: 'f1', name: 'a.png', size: 1 } });
      add(page('p1', 'Text.', { title: 'About f1' }));
    });
    expect(orphans()).toEqual(LISTED);
  });

  it('finds an id that is a word of more texts than it reads, where its own space shows it', () => {
    const elsewhere = Array.from({ length: 1001 }, (_, n) => `The common word ${n}.`);
    see('common', [], elsewhere);
    expect(orphans()).toEqual(LISTED);
    see('common', ['![](/files/common)']);
    expect(orphans()).toEqual([]);
  });

  it.each(['we"ird', '\\n'])('tells the same of a file %s by a large text, whose words are looked at first', (id) => {
    for (const way of [`![](/files/${id})`, `\\${id}x\\`]) {
      see(id, [way]);
      const small = orphansNow();
      see(id, [`${'Words \\ of no file.\n'.repeat(4000)}${way}`]);
      expect(orphansNow(), way).toEqual(small);
    }
  });

  it('tells of an earlier snapshot by its own texts: every file of a space that was deleted since was an orphan in it', () => {
    see('used', ['![](/files/used)']);
    see('used', ['No more of it.']);
    takeSnapshot(made.mirror, ({ bury }) => bury('space', 's1'));
    expect([1, 2, 3].map((at) => runQuery(made.dataDir, SQL, at).rows)).toEqual([[], LISTED, []]);
  });

  it('reads no large text for a file that it shows: one page that shows thousands of files was read for each of them', () => {
    const ids = Array.from({ length: 40 }, (_, n) => `file${n}`);
    takeSnapshot(made.mirror, ({ see: add }) => {
      add({ kind: 'space', params: { spaceId: 's1' }, body: { object: 'space', id: 's1', title: 's1' } });
      for (const fileId of ids)
        add({ kind: 'file', params: { spaceId: 's1', fileId }, body: { id: fileId, name: fileId, size: 1 } });
      add(page('p1', `${ids.map((id) => `![](/files/${id})`).join('\n')}\n${'word '.repeat(20_000)}`));
    });
    const { driver } = made.mirror.store;
    let looked = 0;
    driver.function('instr', (text: string, part: string) => {
      looked += 1;
      return text.includes(part) ? 1 : 0;
    });
    expect(driver.prepare(SQL).all()).toEqual([]);
    expect(looked).toBe(0);
  });
});
