import { describe, expect, it } from 'vitest';
import { readerAt, runQuery } from '../../src/mirror/index.ts';
import { addCollection, addRequest, addSpace, edit, flatten, insert, type Furnished } from '../support/content.ts';
import { furnishedWorld, walkedWorld } from '../support/furnished.ts';
import { rowsOf, stateOf, versions } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

async function mirrored(): Promise<{ world: TestWorld; made: Furnished; [Symbol.asyncDispose](): Promise<void> }> {
  const world = await walkedWorld();
  const { made } = world;
  return { world, made, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** What a mirror made anew would hold. */
async function truthOf(world: TestWorld): Promise<ReturnType<typeof stateOf>> {
  using fresh = await world.newMirror();
  const { snapshot } = await world.sync({ mirror: fresh });
  expect(snapshot.state).toBe('complete');
  return stateOf(fresh, snapshot.id);
}

const tombstones = (world: TestWorld) =>
  rowsOf(
    world.mirror,
    'select kind, id, snapshot, evidence from tombstones join resources using (rid) order by kind, id',
  );

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, one) => sum + one, 0);

describe('walker/walk', () => {
  it('takes in everything at once: pages with text, files with bytes, discussions, people', async () => {
    await using world = await furnishedWorld();
    const { made } = world;
    const { snapshot, failures, notOffered, kinds } = await world.sync();
    expect([snapshot.state, snapshot.reason, failures]).toEqual(['complete', null, []]);
    expect(kinds['page']).toMatchObject({ seen: 5, added: 5 });
    expect(notOffered.length, 'only what the platform does not have').toBeLessThan(12);
    const reader = readerAt(world.mirror, snapshot.id);
    const { pages } = await world.api.getRevision({ path: { spaceId: made.guide } });
    for (const page of flatten(pages)) {
      const path = { spaceId: made.guide, pageId: page.id };
      const shown = await world.api.getPage({ path, query: { format: 'markdown' } });
      expect(reader.one('page', `${made.guide}/${page.id}`)?.text).toBe(shown.markdown);
    }
    for (const file of reader.resources('file'))
      expect(await world.mirror.objects.verify(file.object?.sha256 ?? '')).toBe(true);
    expect(reader.count('file')).toBe(2);
    expect(reader.count('change-request')).toBe(5);
    expect(reader.one('comment-reply', `${made.guide}/${made.comment}/${made.reply}`)?.body['body']).toMatchObject({
      markdown: 'Once.',
    });
  });

  it('keeps the text of the pages that a change request shares with its space', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    const { requests, guide } = made;
    for (const page of readerAt(world.mirror, 1).resources('change-request-page', `${guide}/${requests.draft}`)) {
      const path = { spaceId: guide, changeRequestId: requests.draft, pageId: page.id };
      const shown = await world.api.getChangeRequestPage({ path, query: { format: 'markdown' } });
      expect(page.text).toBe(shown.markdown);
    }
  });

  it('asks for no page and no file again when nothing has changed', async () => {
    await using all = await mirrored();
    const { world } = all;
    const { snapshot, kinds } = await world.sync();
    expect(snapshot.state).toBe('complete');
    for (const operation of ['getPage', 'getChangeRequestPage', 'download', 'getRevision', 'listComments']) {
      expect(world.asked(operation), operation).toBe(0);
    }
    const changed = Object.entries(kinds).filter(([, counts]) => counts.added + counts.changed + counts.gone > 0);
    expect(changed).toEqual([]);
    expect(kinds['page']).toMatchObject({ seen: 5, unchanged: 5 });
  });

  it('asks little per space on quiet nights, with everything read again within seven', async () => {
    await using world = await TestWorld.create();
    const SPACES = 40;
    const parent = await addCollection(world, 'All');
    for (let space = 0; space < SPACES; space++) await addSpace(world, `S${space}`, parent);
    const settings = { rereadNights: 7, pageSize: 1000 };
    await world.sync({ settings });
    world.platform.clearRequestLog();
    let requests = 0;
    for (let night = 0; night < 7; night++) requests += (await world.sync({ settings })).snapshot.requests;
    expect(requests / 7 / SPACES).toBeLessThanOrEqual(1.3);
    for (const operation of ['getRevision', 'listComments', 'getCustomFieldValues'])
      expect(world.asked(operation), operation).toBe(SPACES);
  });

  it('adds exactly one page version for one edited page', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    const before = versions(world.mirror, 'pages');
    await edit(world, made.guide, {
      type: 'update_page',
      page: made.pages['Use'] ?? '',
      document: { markdown: '# Use\n\nNew.' },
    });
    world.platform.clearRequestLog();
    const { snapshot } = await world.sync();
    expect(snapshot.state).toBe('complete');
    expect(versions(world.mirror, 'pages')).toBe(before + 1);
    expect(world.asked('getPage')).toBe(1);
    const text = (at: number | null) =>
      runQuery(world.dataDir, `select markdown from pages where title = 'Use'`, at).rows.flat()[0];
    expect(text(null)).toMatch(/New\./);
    expect(text(1)).toMatch(/Run it/);
  });

  it('ends a deleted page and the pages below it, each with its evidence', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    await edit(world, made.guide, { type: 'delete_page', page: made.pages['Install'] ?? '' });
    const { snapshot, kinds } = await world.sync();
    expect([snapshot.state, kinds['page']?.gone]).toEqual(['complete', 2]);
    const gone = tombstones(world).filter(({ kind }) => kind === 'page');
    expect(new Set(gone.map(({ id }) => id))).toEqual(new Set([made.pages['Install'], made.pages['Linux']]));
    for (const { evidence } of gone) {
      expect(JSON.parse(String(evidence))).toMatchObject({
        direct: { status: 404, request: expect.stringContaining('/page/') as string },
      });
    }
    expect(stateOf(world.mirror, snapshot.id)).toEqual(await truthOf(world));
  });

  it('notes a page that only moved, without reading its text again', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    await edit(world, made.guide, {
      type: 'update_page',
      page: made.pages['Use'] ?? '',
      into: made.pages['Home'] ?? '',
      at: 0,
    });
    await world.sync();
    const rows = rowsOf(world.mirror, `select parent, position from pages where title = 'Use'`);
    expect(rows).toEqual([{ parent: made.pages['Home'], position: 0 }]);
    expect(stateOf(world.mirror, 2)).toEqual(await truthOf(world));
  });

  it('ends a deleted space with all that is in it, and takes it back whole when it is undeleted', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    const before = stateOf(world.mirror, 1);
    const path = { spaceId: made.guide };
    await world.api.deleteSpace({ path });
    const second = await world.sync();
    expect(second.snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select title from spaces')).toEqual([{ title: 'News' }]);
    expect(rowsOf(world.mirror, `select count(*) as n from pages where space = ?`, made.guide)).toEqual([{ n: 0 }]);
    expect(stateOf(world.mirror, 1)).toEqual(before);
    await world.api.restoreSpace({ path });
    const third = await world.sync();
    expect([third.snapshot.state, third.kinds['page']]).toEqual(['complete', expect.objectContaining({ added: 4 })]);
    expect(stateOf(world.mirror, 3)).toEqual(await truthOf(world));
    const texts = (state: typeof before) => Object.entries(state).map(([key, { text, sha256 }]) => [key, text, sha256]);
    expect(texts(stateOf(world.mirror, 3))).toEqual(texts(before));
  });

  it('takes in new comments, replies, reactions, resolutions and states of change requests', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    const path = { spaceId: made.guide };
    const comment = { ...path, commentId: made.comment };
    const request = { ...path, changeRequestId: made.requests.open };
    await world.api.createCommentReply({ path: comment, body: { body: { markdown: 'Twice.' } } });
    await world.api.updateComment({ path: comment, body: { addedReactions: ['1f389'], resolved: true } });
    await world.api.updateChangeRequest({ path: request, body: { status: 'archived' } });
    await world.api.createChangeRequestComment({ path: request, body: { body: { markdown: 'Why?' } } });
    await addRequest(world, made.guide, { subject: 'Another', changes: [insert('More', 'text')] });
    const { snapshot } = await world.sync();
    expect(snapshot.state).toBe('complete');
    expect(stateOf(world.mirror, snapshot.id)).toEqual(await truthOf(world));
    const rows = rowsOf(world.mirror, 'select status from comments where id = ?', made.comment);
    expect(rows).toEqual([{ status: 'resolved' }]);
  });

  it('notices a comment that was deleted while another was added, so that the number is the same', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    await world.api.createComment({ path: { spaceId: made.guide }, body: { body: { markdown: 'New' } } });
    await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
    await world.sync({ settings: { rereadNights: 1 } });
    expect(stateOf(world.mirror, 2)).toEqual(await truthOf(world));
    const kinds = tombstones(world).map(({ kind }) => kind);
    expect(kinds).toEqual(['comment', 'comment-reply']);
  });

  it('heals a text that went wrong in the mirror on a full walk', async () => {
    await using all = await mirrored();
    const { world } = all;
    const wrong = `update versions set text = (select text from versions where text is not null order by vid desc limit 1) where text is not null`;
    world.mirror.store.driver.exec(wrong);
    await world.sync({ mode: 'full' });
    expect(stateOf(world.mirror, 2)).toEqual(await truthOf(world));
  });

  it('takes no signature of an address for a change, and keeps none', async () => {
    await using all = await mirrored();
    const { world } = all;
    world.clock.advance(2 * 3_600_000);
    const { kinds } = await world.sync({ mode: 'full' });
    const changed = Object.entries(kinds).filter(([, counts]) => counts.added + counts.changed + counts.gone > 0);
    expect(changed).toEqual([]);
    expect(rowsOf(world.mirror, `select data from bodies where data like '%expires=%'`)).toEqual([]);
  });

  it('keeps to named spaces and carries the rest over', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    const before = stateOf(world.mirror, 1);
    await edit(world, made.guide, insert('Extra', 'text'));
    await edit(world, made.news, insert('Second', 'text'));
    const scope = { organizations: null, onlySpaces: [made.news], extraSpaces: [] };
    const { snapshot } = await world.sync({ scope });
    expect(snapshot.state).toBe('complete');
    const after = stateOf(world.mirror, 2);
    for (const [key, held] of Object.entries(before))
      if (key.includes(made.guide)) expect(after[key], key).toEqual(held);
    expect(rowsOf(world.mirror, `select title from pages where space = ? order by title`, made.news)).toEqual([
      { title: 'First' },
      { title: 'Second' },
    ]);
    expect(tombstones(world)).toEqual([]);
    const { snapshot: third } = await world.sync();
    expect(stateOf(world.mirror, third.id)).toEqual(await truthOf(world));
  });

  it('ends the access of a person who left, proven by the count of the parent', async () => {
    await using world = await TestWorld.create();
    await addSpace(world, 'A');
    const gone = await addSpace(world, 'B');
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: gone } });
    const { snapshot } = await world.sync();
    expect(snapshot.state).toBe('complete');
    const [access] = tombstones(world).filter(({ kind }) => kind === 'space-member');
    expect(JSON.parse(String(access?.['evidence']))).toMatchObject({ direct: null, listed: 1, counted: 1 });
  });

  it('writes nothing more to a snapshot that is sealed: a disk that is full then fails no walk', async () => {
    await using world = await TestWorld.create();
    world.mirror.store.driver.exec(`create trigger full before update on snapshots when old.state <> 'open'
      begin select raise(abort, 'database or disk is full'); end`);
    const { snapshot } = await world.sync();
    expect(snapshot.state).toBe('complete');
    expect(snapshot.requests).toBe(sumOf(world.platform.requestLog.counts()));
  });

  it('opens no snapshot when the platform does not answer at all', async () => {
    await using world = await TestWorld.create({ faults: [{ effect: 'cut-before' }] });
    await expect(world.sync()).rejects.toMatchObject({ code: 'DM_UNREACHABLE' });
    expect(rowsOf(world.mirror, 'select * from snapshots')).toEqual([]);
  });
});
