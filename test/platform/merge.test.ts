import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { mergeTrees, type MergeInput } from '../../src/platform/content/merge.ts';
import { walkPages, type Tree, type TreePage } from '../../src/platform/content/tree.ts';
import { createWorld, importFiles, spaceWithPages, type World } from './world.ts';

function page(id: string, fields: Partial<TreePage> = {}): TreePage {
  return { id, type: 'document', title: id, slug: id, path: id, createdAt: 't', pages: [], ...fields };
}

function tree(...pages: TreePage[]): Tree {
  return { pages, files: [], reusableContents: [] };
}

function merge(trees: Pick<MergeInput, 'base' | 'into' | 'from'>) {
  return mergeTrees({
    ...trees,
    now: 'now',
    newId: () => 'new',
    joinTexts: (kept, displaced) => `${kept}+${displaced}`,
  });
}

const treeArbitrary: fc.Arbitrary<Tree> = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 })
  .chain((ids) => fc.tuple(fc.constant(ids), fc.array(fc.nat(3), { minLength: 6, maxLength: 6 })))
  .map(([ids, choices]) => {
    const made = ids.map((id, i) => page(id, { title: `t${choices[i]}`, documentId: `d${choices[i]}` }));
    const roots: TreePage[] = [];
    made.forEach((one, i) => {
      const parent = i > 0 && (choices[i] ?? 0) > 1 ? made[i - 1] : undefined;
      (parent ? parent.pages : roots).push(one);
    });
    return tree(...roots);
  });

const order = ({ pages }: Pick<TreePage, 'pages'>): unknown[] => pages.map((one) => [one.id, order(one)]);
const ids = (of: Tree): string[] => [...walkPages(of.pages)].map((one) => one.id).sort();

describe('platform/content/merge', () => {
  it('takes over what only the request changed', () => {
    const base = tree(page('a'), page('b'));
    const { tree: merged, conflicts } = merge({ base, into: base, from: tree(page('b'), page('c')) });
    expect(conflicts).toBe(false);
    expect(merged.pages.map((one) => one.id)).toEqual(['b', 'c']);
  });

  it('keeps what only the main content changed', () => {
    const base = tree(page('a'));
    const into = tree(page('a', { title: 'New' }), page('x'));
    const { tree: merged, conflicts } = merge({ base, into, from: tree(page('a'), page('y')) });
    expect(conflicts).toBe(false);
    expect(merged.pages.map((one) => one.title).sort()).toEqual(['New', 'x', 'y']);
  });

  it('keeps the order that one side gave the pages while the other only added and deleted some: main got its old order back', () => {
    const base = tree(page('a'), page('b'), page('c'), page('d'));
    const reordered = tree(page('d'), page('c'), page('b'), page('a'));
    const others = tree(page('a'), page('x'), page('b'), page('d'), page('y'));
    const wanted = ['d', 'x', 'b', 'a', 'y'];
    for (const trees of [
      { into: reordered, from: others },
      { into: others, from: reordered },
    ]) {
      const { tree: merged, conflicts } = merge({ base, ...trees });
      expect(merged.pages.map(({ id }) => id)).toEqual(wanted);
      expect(conflicts).toBe(false);
    }
  });

  it('reports a page changed on both sides, and keeps both texts', () => {
    const base = tree(page('a', { documentId: 'old' }));
    const into = tree(page('a', { documentId: 'main' }));
    const from = tree(page('a', { documentId: 'request', title: 'Renamed' }));
    const { tree: merged, conflicts } = merge({ base, into, from });
    expect(conflicts).toBe(true);
    expect(merged.pages[0]).toMatchObject({ documentId: 'request+main', title: 'Renamed', updatedAt: 'now' });
  });

  it('never loses an edit to a deletion on the other side', () => {
    const base = tree(page('a'));
    const edited = tree(page('a', { title: 'Edited' }));
    for (const trees of [
      { into: tree(), from: edited },
      { into: edited, from: tree() },
    ]) {
      const { tree: merged, conflicts } = merge({ base, ...trees });
      expect(conflicts).toBe(true);
      expect(merged.pages[0]?.title).toBe('Edited');
    }
  });

  it('breaks a circle that two moves make together', () => {
    const base = tree(page('a'), page('b'));
    const into = tree(page('a', { pages: [page('b')] }));
    const from = tree(page('b', { pages: [page('a')] }));
    expect(ids(merge({ base, into, from }).tree)).toEqual(['a', 'b']);
  });

  it('gives the other side when one side changed nothing', () => {
    fc.assert(
      fc.property(treeArbitrary, treeArbitrary, (base, changed) => {
        const forward = merge({ base, into: base, from: changed });
        expect(forward.conflicts).toBe(false);
        expect(order(forward.tree)).toEqual(order(changed));
        const back = merge({ base, into: changed, from: base });
        expect(back.conflicts).toBe(false);
        expect(order(back.tree)).toEqual(order(changed));
      }),
    );
  });

  it('keeps every page that a side added or changed', () => {
    fc.assert(
      fc.property(treeArbitrary, treeArbitrary, treeArbitrary, (base, into, from) => {
        const merged = ids(merge({ base, into, from }).tree);
        const known = new Set(ids(base));
        for (const id of [...ids(into), ...ids(from)]) if (!known.has(id)) expect(merged).toContain(id);
        expect(new Set(merged).size).toBe(merged.length);
      }),
    );
  });
});

describe('platform/handlers/change-requests', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  async function requestWith(
    spaceId: string,
    changes: object[],
  ): Promise<{ spaceId: string; changeRequestId: string }> {
    const created = await world.call('createChangeRequest', { path: { spaceId } });
    const path = { spaceId, changeRequestId: created.body.id };
    await world.call('changeContent', { path, body: { changes } });
    return path;
  }
  const edit = (pageId: string | undefined, markdown: string) => ({
    type: 'update_page',
    page: pageId,
    document: { markdown },
  });

  it('merges a clean request and marks it as merged', async () => {
    const { spaceId, pages } = await spaceWithPages(world, { One: 'old' });
    const path = await requestWith(spaceId, [edit(pages['One'], 'new')]);
    const { body } = await world.call('mergeChangeRequest', { path });
    expect(body.result).toBe('merge');
    const request = await world.call('getChangeRequest', { path });
    expect(request.body).toMatchObject({ status: 'merged', revisionMerged: body.revision, outdated: false });
    const page = await world.call('getPage', {
      path: { spaceId, pageId: pages['One'] ?? '' },
      query: { format: 'markdown' },
    });
    expect(page.body.markdown).toBe('# One\n\nnew');
    expect((await world.call('mergeChangeRequest', { path })).status).toBe(409);
    expect((await world.call('updateChangeRequest', { path, body: { status: 'open' } })).status).toBe(409);
  });

  it('applies a conflicting request and leaves both versions visible', async () => {
    const { spaceId, pages } = await spaceWithPages(world, { One: 'old' });
    const first = await requestWith(spaceId, [edit(pages['One'], 'from the first')]);
    const second = await requestWith(spaceId, [edit(pages['One'], 'from the second')]);
    await world.call('mergeChangeRequest', { path: first });
    expect((await world.call('getChangeRequest', { path: second })).body.outdated).toBe(true);
    const { body } = await world.call('mergeChangeRequest', { path: second });
    expect(body.result).toBe('conflicts');
    const path = { spaceId, pageId: pages['One'] ?? '' };
    const { markdown } = (await world.call('getPage', { path, query: { format: 'markdown' } })).body;
    expect(markdown).toContain('from the first');
    expect(markdown).toContain('from the second');
    expect(markdown).toContain('Merge conflict');
  });

  it('leaves a text once that both sides have written in the same words: it stood twice, below a marker of a conflict', async () => {
    const { spaceId, pages } = await spaceWithPages(world, { One: 'old' });
    const { One: page = '' } = pages;
    const first = await requestWith(spaceId, [edit(page, 'the same')]);
    const second = await requestWith(spaceId, [edit(page, 'the same')]);
    for (const path of [first, second]) await world.call('mergeChangeRequest', { path });
    const path = { spaceId, pageId: page };
    const { markdown } = (await world.call('getPage', { path, query: { format: 'markdown' } })).body;
    expect(markdown).toBe('# One\n\nthe same');
  });

  it('is no longer outdated once it pulled the main content in', async () => {
    const { spaceId, pages } = await spaceWithPages(world, { One: 'old' });
    const first = await requestWith(spaceId, [edit(pages['One'], 'changed')]);
    const second = await requestWith(spaceId, [{ type: 'insert_page', document: { markdown: '# Two' } }]);
    await world.call('mergeChangeRequest', { path: first });
    const { body } = await world.call('pullIntoChangeRequest', { path: second });
    expect(body.result).toBe('update');
    const request = await world.call('getChangeRequest', { path: second });
    expect(request.body).toMatchObject({ outdated: false, revision: body.revision });
    const space = await world.call('getSpace', { path: { spaceId } });
    expect(request.body.revisionMergedAncestor).toBe(space.body.revision);
  });

  it('applies a batch of changes wholly or not at all', async () => {
    const { spaceId, pages } = await spaceWithPages(world, { One: 'old' });
    const created = await world.call('createChangeRequest', { path: { spaceId } });
    const path = { spaceId, changeRequestId: created.body.id };
    const changes = [edit(pages['One'], 'new'), { type: 'delete_page', page: 'nobody' }];
    const reply = await world.call('changeContent', { path, body: { changes } });
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toContain('changes/1/page');
    expect((await world.call('getChangeRequest', { path })).body.revision).toBe(created.body.revision);
  });

  it('keeps groups at the top of a space: one below a page could never be imported back', async () => {
    const { spaceId, pages } = await spaceWithPages(world, { One: 'x' });
    await importFiles(world, spaceId, { 'SUMMARY.md': '## Group\n\n* [In](in.md)\n', 'in.md': '# In\n' });
    const tree = async () => (await world.call('getRevision', { path: { spaceId } })).body.pages;
    const group = (await tree()).find(({ type }) => type === 'group')?.id;
    const created = await world.call('createChangeRequest', { path: { spaceId } });
    const path = { spaceId, changeRequestId: created.body.id };
    const moved = (into: string | null | undefined) =>
      world.call('changeContent', { path, body: { changes: [{ type: 'update_page', page: group, into, at: 0 }] } });
    const refused = await moved(pages['One']);
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('/into') } },
    ]);
    expect((await moved(null)).status).toBe(200);
    await world.call('mergeChangeRequest', { path });
    expect((await tree()).map(({ title }) => title)).toEqual(['Group', 'One']);
  });

  it('puts what stands below a page that becomes a link behind all beside it: it was in no listing, and walks were partial for half a day', async () => {
    const { spaceId, pages } = await spaceWithPages(world, { One: 'x', Two: 'y' });
    const below = (title: string) => ({ type: 'insert_page', title, document: { markdown: 'c' }, into: pages['One'] });
    await world.call('mergeChangeRequest', { path: await requestWith(spaceId, [below('Child')]) });
    const late = await requestWith(spaceId, [below('Late')]);
    await importFiles(world, spaceId, { 'SUMMARY.md': '* [One](https://example.com)\n' });
    const shown = async () => {
      const { body } = await world.call('listPages', { path: { spaceId } });
      return body.pages.map(({ title, type, pages: inner = [] }) => [title, type, inner.length]);
    };
    const raised = [
      ['One', 'link', 0],
      ['Two', 'document', 0],
      ['Child', 'document', 0],
    ];
    expect(await shown()).toEqual(raised);
    await world.call('mergeChangeRequest', { path: late });
    expect(await shown()).toEqual([...raised, ['Late', 'document', 0]]);
  });

  it('deletes a page with all below it when the deletion is merged', async () => {
    const { spaceId, pages } = await spaceWithPages(world, { One: 'x', Two: 'y' });
    const child = { type: 'insert_page', title: 'Child', document: { markdown: 'c' }, into: pages['One'] };
    await world.call('mergeChangeRequest', { path: await requestWith(spaceId, [child]) });
    const gone = [{ type: 'delete_page', page: pages['One'] }];
    await world.call('mergeChangeRequest', { path: await requestWith(spaceId, gone) });
    const { body } = await world.call('listPages', { path: { spaceId } });
    expect(body.pages.map((one) => one.title)).toEqual(['Two']);
  });
});
