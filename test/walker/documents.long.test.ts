import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/index.ts';
import type { RawInput } from '../../src/client/index.ts';
import { kindNames, kindOf } from '../../src/contract/index.ts';
import { countsOf, keyOf, lastSealed, readerAt } from '../../src/mirror/index.ts';
import { edit, insert } from '../support/content.ts';
import { furnishedWorld, treesWorld, walkedWorld, type FurnishedWorld } from '../support/furnished.ts';
import { rowsOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

const settings = { documents: true };

describe('walker/visits/documents', () => {
  it('keeps the text of each page as the platform shows it: Markdown and document tree', async () => {
    await using world = await furnishedWorld();
    const { guide, requests } = world.made;
    const { snapshot } = await world.sync({ settings });
    expect(snapshot.state).toBe('complete');
    const reader = readerAt(world.mirror, snapshot.id);
    for (const page of reader.resources('page', guide)) {
      const path = { spaceId: guide, pageId: page.id };
      const shown = await world.api.getPage({ path, query: { format: 'document' } });
      expect(reader.one('page-document', page.key)?.body['document'], page.id).toEqual(shown.document);
    }
    const own = [...reader.resources('change-request-page-document', `${guide}/${requests.draft}`)];
    expect(
      own.map(({ params }) => reader.one('change-request-page', Object.values(params).join('/'))?.body['title']),
    ).toEqual(['Windows']);
    expect(rowsOf(world.mirror, `select count(*) as n from page_documents where document is null`)).toEqual([{ n: 0 }]);
  });

  it('reads the tree of an edited page again and of no other; those that are missing come with the rota', async () => {
    await using world = await walkedWorld();
    const { guide, pages } = world.made;
    const change = (text: string) =>
      ({ type: 'update_page', page: pages['Use'] ?? '', document: { markdown: text } }) as const;
    await edit(world, guide, change('# Use\n\nNew.'));
    await world.sync({ settings });
    await edit(world, guide, change('# Use\n\nNewer.'));
    world.platform.clearRequestLog();
    await world.sync({ settings });
    expect(world.asked('getPage')).toBe(2);
    const held = rowsOf(
      world.mirror,
      'select count(*) as n from page_documents where change_request is null and space = ?',
      guide,
    );
    expect(held).toEqual([{ n: 4 }]);
  });

  it('counts the tree of an edited page as changed, as diff does: each edit was counted as one more tree, and none went', async () => {
    await using world = await treesWorld();
    const { guide, pages } = world.made;
    await edit(
      world,
      guide,
      { type: 'update_page', page: pages['Use'] ?? '', document: { markdown: '# Use\n\nNew.' } },
      { type: 'delete_page', page: pages['Linux'] ?? '' },
      insert('Late', 'Text.'),
    );
    const { snapshot } = await world.sync({ settings });
    const { added, changed, gone } = countsOf(world.mirror, snapshot.id)['page-document'] ?? {};
    expect({ added, changed, gone }).toEqual({ added: 1, changed: 1, gone: 1 });
    const told = "select change from changes where snapshot = ? and kind = 'page-document' order by change";
    expect(rowsOf(world.mirror, told, snapshot.id).map(({ change }) => change)).toEqual([
      'added',
      'changed',
      'removed',
    ]);
  });

  it('ends the tree with its page', async () => {
    await using world = await treesWorld();
    const { guide, pages } = world.made;
    await edit(world, guide, { type: 'delete_page', page: pages['Use'] ?? '' });
    await world.sync({ settings });
    expect(
      rowsOf(world.mirror, 'select id from page_documents where page = ? and change_request is null', pages['Use']),
    ).toEqual([]);
  });
});

/** Edits a page, and tells whether the mirror then has its tree as the platform shows it. */
function edited(world: FurnishedWorld) {
  const { guide, pages } = world.made;
  const path = { spaceId: guide, pageId: pages['Use'] ?? '' };
  const change = (text: string): Promise<void> =>
    edit(world, guide, { type: 'update_page', page: path.pageId, document: { markdown: `# Use\n\n${text}` } });
  const isTrue = async (): Promise<boolean> => {
    const shown = await world.api.getPage({ path, query: { format: 'document' } });
    const last = readerAt(world.mirror, lastSealed(world.mirror)?.id ?? 0);
    return (
      JSON.stringify(last.one('page-document', keyOf('page', path))?.body['document']) ===
      JSON.stringify(shown.document)
    );
  };
  return { path, change, isTrue };
}

const asksForTree = (operation: string, input: RawInput | undefined): boolean =>
  operation === 'getPage' && input?.query?.['format'] === 'document';

/** The walking client, with some answers changed on their way. */
function altered(
  world: TestWorld,
  change: (operation: string, input: RawInput, answer: unknown) => unknown,
): ReturnType<TestWorld['hooked']> {
  const client = world.hooked(() => undefined);
  const ask = client.callRaw.bind(client);
  client.callRaw = async (name, input, options) => change(name, input, await ask(name, input, options));
  return client;
}

describe('walker/documents, of a page that is unchanged by then', () => {
  it('reads a tree again whose read failed', async () => {
    await using world = await treesWorld();
    const { change, isTrue } = edited(world);
    await change('New.');
    const client = world.hooked((operation, input) => {
      if (asksForTree(operation, input)) throw new AppError('DM_BAD_RESPONSE', 'no tree', { hint: 'Try again.' });
    });
    const failed = await world.sync({ settings, client });
    expect([failed.snapshot.state, await isTrue()]).toEqual(['partial', false]);
    const next = await world.sync({ settings });
    expect([next.snapshot.state, await isTrue()]).toEqual(['complete', true]);
  });

  it('reads a tree that a walk of fewer kinds has left on the next night', async () => {
    await using world = await treesWorld();
    const { change, isTrue } = edited(world);
    const kinds = kindNames.filter((name) => kindOf(name).read.from !== 'beside');
    const limited = { organizations: null, onlySpaces: null, extraSpaces: [], kinds, limited: true };
    await change('New.');
    await world.sync({ settings, scope: limited });
    const { snapshot } = await world.sync({ settings });
    expect([snapshot.state, await isTrue()]).toEqual(['complete', true]);
  });

  it('shows no tree of an older text after a night without trees; it comes with the rota', async () => {
    await using world = await treesWorld();
    const { path, change, isTrue } = edited(world);
    await change('New.');
    await world.sync();
    const trees = 'select count(*) as n from page_documents where page = ? and change_request is null';
    expect(rowsOf(world.mirror, trees, path.pageId)).toEqual([{ n: 0 }]);
    await world.sync({ settings: { ...settings, rereadNights: 1 } });
    expect(await isTrue()).toBe(true);
  });

  it('reads both again when the page moved between its text and its tree', async () => {
    await using world = await treesWorld();
    const { change, isTrue } = edited(world);
    await change('New.');
    let moved = false;
    const client = world.hooked(async (operation, input) => {
      if (!asksForTree(operation, input) || moved) return;
      moved = true;
      await change('Newer.');
    });
    const { snapshot } = await world.sync({ settings, client });
    expect([snapshot.state, await isTrue()]).toEqual(['complete', true]);
  });

  it('is partial while the platform answers trees of an older text than the page, and whole when it no longer does', async () => {
    await using world = await treesWorld();
    const { path, change, isTrue } = edited(world);
    const old = await world.api.getPage({ path, query: { format: 'document' } });
    await change('New.');
    const client = altered(world, (operation, input, answer) => (asksForTree(operation, input) ? old : answer));
    for (const night of [1, 2]) {
      const { snapshot, failures } = await world.sync({ settings, client });
      expect([night, snapshot.state, failures.map(({ kind, code }) => [kind, code])]).toEqual([
        night,
        'partial',
        [['revision', 'DM_INCOMPLETE']],
      ]);
    }
    const { snapshot } = await world.sync({ settings });
    expect([snapshot.state, await isTrue()]).toEqual(['complete', true]);
  });

  it('ends the tree of a page that has no text any more', async () => {
    await using world = await treesWorld();
    const { path, change } = edited(world);
    await change('New.');
    const client = altered(world, (operation, _input, answer) => {
      if (operation !== 'getRevision') return answer;
      const text = JSON.stringify(answer);
      const group = (entry: Record<string, unknown>) => ({ ...entry, type: 'group', documentId: undefined });
      return JSON.parse(text, (_key, value: Record<string, unknown> | null) =>
        value?.['id'] === path.pageId ? group(value) : value,
      ) as unknown;
    });
    const { snapshot } = await world.sync({ settings, client });
    const trees = 'select count(*) as n from page_documents where page = ? and change_request is null';
    expect([snapshot.state, rowsOf(world.mirror, trees, path.pageId)]).toEqual(['complete', [{ n: 0 }]]);
  });

  it('reads a tree again whose read failed beside a page that came without Markdown', async () => {
    await using world = await furnishedWorld();
    const { guide, pages } = world.made;
    const own = pages['Use'] ?? '';
    const computed = (_key: string, value: Record<string, unknown> | null): unknown => {
      if (value?.['id'] !== own) return value;
      const { documentId: _id, markdown: _text, ...rest } = value;
      return { ...rest, computed: { type: 'generated' } };
    };
    let fails = true;
    const client = altered(world, (operation, input, answer) => {
      const isPage = operation === 'getPage' && input.path?.['pageId'] === own;
      if (isPage && asksForTree(operation, input) && fails)
        throw new AppError('DM_BAD_RESPONSE', 'no tree', { hint: 'Try again.' });
      return operation === 'getRevision' || isPage ? (JSON.parse(JSON.stringify(answer), computed) as unknown) : answer;
    });
    const trees = (): unknown =>
      rowsOf(
        world.mirror,
        'select count(*) as n from page_documents where page = ? and space = ? and change_request is null',
        own,
        guide,
      )[0]?.['n'];
    const first = await world.sync({ settings, client });
    expect([first.snapshot.state, trees()]).toEqual(['partial', 0]);
    fails = false;
    const next = await world.sync({ settings, client });
    expect([next.snapshot.state, trees()]).toEqual(['complete', 1]);
  });

  it('keeps the tree of a page of a merged change request as that of its space', async () => {
    await using world = await furnishedWorld();
    const { guide, pages, requests } = world.made;
    const path = { spaceId: guide, changeRequestId: requests.draft };
    const rewrite = async (text: string): Promise<void> => {
      const change = { type: 'update_page', page: pages['Use'] ?? '', document: { markdown: text } } as const;
      await world.api.changeContent({ path, body: { changes: [change] } });
    };
    await rewrite('# Use\n\nProposed.');
    await world.sync({ settings });
    const trees = `select count(*) as n from page_documents where page = ? and change_request = ?`;
    const held = (): unknown => rowsOf(world.mirror, trees, pages['Use'], requests.draft)[0]?.['n'];
    expect(held()).toBe(1);
    await rewrite('# Use\n\nProposed again.');
    await world.api.mergeChangeRequest({ path });
    const { snapshot } = await world.sync({ settings });
    const own = `select count(*) as n from versions v join resources r on r.rid = v.rid
      where r.kind = 'change-request-page-document' and r.key = ? and v.valid_to is null`;
    expect([snapshot.state, held()]).toEqual(['complete', 1]);
    expect(rowsOf(world.mirror, own, `${guide}/${requests.draft}/${pages['Use'] ?? ''}`)).toEqual([{ n: 0 }]);
    const text = `select document from page_documents where page = ? and change_request is ?`;
    const tree = rowsOf(world.mirror, text, pages['Use'], requests.draft)[0]?.['document'];
    expect(tree).toMatch(/Proposed again/);
    expect(tree).toBe(rowsOf(world.mirror, text, pages['Use'], null)[0]?.['document']);
  });

  it('opens no version for a tree that was read again and is the same', async () => {
    await using world = await treesWorld();
    const { path, isTrue } = edited(world);
    await edit(world, path.spaceId, { type: 'update_page', page: path.pageId, title: 'Used' });
    const { kinds } = await world.sync({ settings });
    expect(kinds['page']?.changed).toBeGreaterThan(0);
    expect([kinds['page-document'], await isTrue()]).toEqual([
      expect.objectContaining({ added: 0, changed: 0, seen: 5, unchanged: 5 }),
      true,
    ]);
    world.platform.clearRequestLog();
    await world.sync({ settings });
    expect(world.asked('getPage')).toBe(0);
  });

  it('keeps and counts the tree of a page that was renamed while another text is answered for it', async () => {
    await using world = await treesWorld();
    const { path, isTrue } = edited(world);
    await edit(world, path.spaceId, { type: 'update_page', page: path.pageId, title: 'Used' });
    const client = altered(world, (operation, input, answer) =>
      asksForTree(operation, input) ? { ...(answer as object), documentId: 'another' } : answer,
    );
    const { snapshot, kinds } = await world.sync({ settings, client });
    expect([snapshot.state, kinds['page-document']]).toEqual([
      'complete',
      expect.objectContaining({ seen: 5, added: 0, changed: 0, unchanged: 5 }),
    ]);
    expect(await isTrue()).toBe(true);
  });

  it('opens no version for the tree of a computed page that was read again: by a full walk, or since its icon is another', async () => {
    await using world = await furnishedWorld();
    const { guide, pages } = world.made;
    const own = pages['Use'] ?? '';
    const client = altered(world, (_operation, _input, answer) => {
      const text = JSON.stringify(answer);
      return JSON.parse(text, (_key, value: Record<string, unknown> | null) => {
        if (value?.['id'] !== own) return value;
        const { documentId: _id, ...rest } = value;
        return { ...rest, computed: { type: 'generated' } };
      }) as unknown;
    });
    await world.sync({ settings, client });
    const { kinds } = await world.sync({ settings, client, mode: 'full' });
    expect(kinds['page-document']).toMatchObject({ seen: 5, added: 0, changed: 0, unchanged: 5 });
    // The feed told of another tree.
    await edit(world, guide, { type: 'update_page', page: own, emoji: '1f600' });
    const next = await world.sync({ settings, client });
    expect([next.kinds['page']?.changed, next.kinds['page-document']]).toEqual([
      1,
      expect.objectContaining({ seen: 5, added: 0, changed: 0, unchanged: 5 }),
    ]);
    const feed = `select change from changes where kind = 'page-document' and snapshot = ?`;
    expect(rowsOf(world.mirror, feed, next.snapshot.id)).toEqual([]);
  });

  it('is no deletion when trees are kept no more and pages are edited', async () => {
    await using world = await treesWorld();
    const { guide, pages } = world.made;
    const page = pages['Linux'] ?? '';
    await edit(world, guide, { type: 'update_page', page, document: { markdown: '# Linux\n\nOther words.' } });
    const brake = { deletedShare: 0, deletedCount: 1, rewrittenShare: 2, rewrittenCount: 1e9 };
    const { snapshot } = await world.sync({ settings: { documents: false, brake } });
    const trees = 'select page from page_documents where page = ? and change_request is null';
    expect(rowsOf(world.mirror, trees, page)).toEqual([]);
    expect(snapshot).toMatchObject({ state: 'complete', reason: null });
  });
});
