import { describe, expect, it } from 'vitest';
import { readTarget } from '../../src/document/index.ts';
import { at, createWorld, importFiles, listAll, spaceWithPages } from './world.ts';

describe('platform/content/links', () => {
  it('takes no longer address for that of a page, and no query for a place in it', () => {
    const target = (written: string) => readTarget({ space: 's', page: 'p', pageAt: () => undefined }, written);
    expect(target('/pages/abc/more')).toEqual({ kind: 'url', url: '/pages/abc/more' });
    expect(target('/pages/abc?x=1')).toEqual({ kind: 'page', space: 's', page: 'abc' });
    expect(target('/pages/abc#part')).toEqual({ kind: 'page', space: 's', page: 'abc', anchor: 'part' });
  });

  it('tells links that lead somewhere from broken and internal ones', async () => {
    await using world = await createWorld();
    const other = await spaceWithPages(world, { There: 'x' });
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(world, spaceId, {
      'a.md': [
        '[b](b.md) [again](b.md#part) ![dot](assets/dot.png) [web](https://example.com) [here](#a)',
        `[other](/spaces/${other.spaceId}/pages/${other.pages['There']}) [gone](/pages/nobody) [app](${world.platform.url}/app/o/x)`,
        '`[code](/pages/alsonobody)` [lost](missing.md)',
      ].join('\n'),
      'b.md': '[dot](assets/dot.png)',
      'assets/dot.png': Buffer.from('x'),
    });
    const links = async (status?: string) =>
      (await world.call('listSpaceLinks', { path: { spaceId }, query: status === undefined ? {} : { status } })).body;
    const all = await links();
    expect(all.count).toBe(9);
    expect(all.stats).toEqual({ total: 9, broken: { total: 2 } });
    const broken = await links('broken');
    expect(broken.items).toHaveLength(2);
    expect(new Set(broken.items.map((link) => link.targetReference?.kind))).toEqual(new Set(['page', 'url']));
    expect((await links('in-app')).items).toHaveLength(1);
    expect((await links('ok')).items).toHaveLength(6);

    const content = await world.call('getRevision', { path: { spaceId } });
    const fileId = at(content.body.files, 0).id;
    const back = await world.call('listFileBacklinks', { path: { spaceId, fileId }, query: { limit: 1 } });
    expect(back.body).toMatchObject({ count: 2, items: [{ kind: 'page', space: { id: spaceId } }] });
    const pageId = at(content.body.pages, 1).id;
    const ofPage = await world.call('listPageLinks', { path: { spaceId, pageId } });
    expect(ofPage.body.items).toMatchObject([
      { status: 'ok', relation: 'reference', targetReference: { kind: 'file' } },
    ]);
  });

  it('lists links that stand on very many pages on smaller pages, and each once: one answer had 57 MB', async () => {
    await using world = await createWorld();
    const text = Array.from({ length: 60 }, (_, n) => `[${n}](https://example.com/${n})`).join(' ');
    const { spaceId } = await spaceWithPages(world, {});
    await importFiles(
      world,
      spaceId,
      Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`page-${n}.md`, text])),
    );
    const path = { spaceId };
    const first = await world.call('listSpaceLinks', { path, query: { limit: 1000 } });
    expect(first.body).toMatchObject({ count: 60, next: { page: expect.any(String) } });
    expect(first.body.items).toHaveLength(50);
    const all = await listAll(world, 'listSpaceLinks', { path, query: { limit: 1000 } });
    expect(new Set(all.map(({ targetReference }) => JSON.stringify(targetReference))).size).toBe(60);
    expect(all).toHaveLength(60);
  });

  it('knows what links lead to: anchors, spaces, collections, people, specifications, block tags, covers', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    const collection = await world.call('createCollection', { path, body: { title: 'Col' } });
    const source = { text: '{"openapi": "3.1.0"}' };
    await world.call('createOpenApiSpec', { path, body: { slug: 'pets', source } });
    const { spaceId, pages } = await spaceWithPages(world, { Two: 'x' });
    const targets: Record<string, [kind: string, status: string]> = {
      '#here': ['page', 'ok'],
      '/pages/TWO#part': ['page', 'ok'],
      two: ['page', 'ok'],
      [`/spaces/${spaceId}`]: ['space', 'ok'],
      '/spaces/nothing': ['space', 'broken'],
      '/spaces/nothing/pages/none': ['page', 'broken'],
      [`/collections/${collection.body.id}`]: ['collection', 'ok'],
      '/collections/none': ['collection', 'broken'],
      [`/users/${world.platform.owner}`]: ['user', 'ok'],
      '/users/none': ['user', 'broken'],
      '/openapi/pets': ['openapi', 'ok'],
      '/openapi/cats': ['openapi', 'broken'],
      '/reusable-contents/none': ['reusable-content', 'broken'],
      'mailto:a@example.com': ['url', 'ok'],
    };
    const add = async (markdown: string) => {
      const request = await world.call('createChangeRequest', { path: { spaceId } });
      const at = { spaceId, changeRequestId: request.body.id };
      const changes = [{ type: 'insert_page', title: 'Links', document: { markdown } }];
      await world.call('changeContent', { path: at, body: { changes } });
      await world.call('mergeChangeRequest', { path: at });
      const { body } = await world.call('listPages', { path: { spaceId } });
      const pageId = body.pages.at(-1)?.id ?? '';
      return (await world.call('listPageLinks', { path: { spaceId, pageId } })).body.items;
    };
    for (const [target, [kind, status]] of Object.entries(targets)) {
      const written = target.replace('TWO', pages['Two'] ?? '');
      const found = await add(`See [this](${written}).`);
      expect(found, target).toMatchObject([{ status, targetReference: { kind } }]);
    }
    const tags = `{% embed url="https://example.com/x" %}\n\n{% content-ref url="/pages/${pages['Two']}" %}\nx\n{% endcontent-ref %}`;
    expect(await add(tags)).toMatchObject([
      { status: 'ok', targetReference: { kind: 'page', page: { title: 'Two' } } },
      { status: 'ok', targetReference: { kind: 'url', url: 'https://example.com/x' } },
    ]);
    const anchored = await add(`[a](/pages/${pages['Two']}#part)`);
    expect(anchored).toMatchObject([{ targetReference: { internalLocation: { type: 'anchor', anchor: 'part' } } }]);
  });

  it('counts what a change request breaks', async () => {
    await using world = await createWorld();
    const { spaceId, pages } = await spaceWithPages(world, { One: '[x](/pages/nobody)' });
    const request = await world.call('createChangeRequest', { path: { spaceId } });
    const path = { spaceId, changeRequestId: request.body.id, pageId: pages['One'] ?? '' };
    const document = { markdown: '[x](/pages/nobody) [y](/pages/nobodyelse)' };
    await world.call('changeContent', {
      path,
      body: { changes: [{ type: 'update_page', page: path.pageId, document }] },
    });
    const { body } = await world.call('listChangeRequestPageLinks', { path });
    expect(body.stats).toEqual({ total: 2, broken: { total: 2, changeRequest: 1 } });
  });
});
