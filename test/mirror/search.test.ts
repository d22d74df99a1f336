import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { findText, openSnapshot } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { fill, page, takeSnapshot, type Hand } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

function seeComment({ see }: Hand, id: string): void {
  see({
    kind: 'comment',
    params: { spaceId: 's1', commentId: id },
    body: { id, body: { markdown: `Words of ${id}` } },
  });
}

describe('mirror/search', () => {
  it('shows the last sealed snapshot without MATCH too: what was deleted, and a walk under way, stood in it', async () => {
    using made = await createTestMirror();
    const ids = (table: string, rest = ''): unknown[] =>
      rowsOf(made.mirror, `select id from ${table} ${rest} order by id`).map(({ id }) => id);
    takeSnapshot(made.mirror, (hand) => {
      for (const id of ['edited', 'deleted', 'kept']) hand.see(page(id, `Text of ${id}.`));
      for (const id of ['said', 'unsaid']) seeComment(hand, id);
    });
    takeSnapshot(made.mirror, ({ see, bury }) => {
      see(page('edited', 'Another text.'));
      bury('page', 's1/deleted');
      bury('comment', 's1/unsaid');
    });
    const walk = openSnapshot(made.mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
    fill(made.mirror, walk, (hand) => {
      hand.see(page('new', 'Text of new.'));
      hand.see(page('kept', 'Edited by night.'));
      seeComment(hand, 'new');
    });
    expect(ids('pages_search')).toEqual(['edited', 'kept']);
    expect(ids('pages_search', `where markdown like '%text%'`)).toEqual(['edited', 'kept']);
    expect(ids('pages_search', `where pages_search match 'text'`)).toEqual(['edited', 'kept']);
    expect(ids('comments_search')).toEqual(['said']);
    expect(rowsOf(made.mirror, 'select count(*) as n from pages_search')).toEqual([{ n: 2 }]);
  });

  it('finds no page that is gone inside texts of a mirror whose views an older program made', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => ['kept', 'deleted'].map((id) => see(page(id, `日本語のページ ${id}`))));
    takeSnapshot(made.mirror, ({ bury }) => bury('page', 's1/deleted'));
    const { driver } = made.mirror.store;
    const view = driver.prepare<[], string>(`select sql from sqlite_schema where name = 'pages_search_source'`).pluck();
    const older = view.get()?.replace(/ and v\.vid in \(.*$/, '') ?? '';
    driver.exec(`drop view pages_search_source; ${older}`);
    expect(rowsOf(made.mirror, 'select count(*) as n from pages_search_source')).toEqual([{ n: 2 }]);
    const found = atOnce(findText(made.mirror, { text: '本語', among: 'pages', limit: 9 }));
    expect(found.map(({ id }) => id)).toEqual(['kept']);
  });
});
