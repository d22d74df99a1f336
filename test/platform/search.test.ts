import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testFolder } from '../support/cli.ts';
import { at, createWorld, importFiles, listAll, spaceWithPages, type World } from './world.ts';

async function search(world: World, spaceId: string, query: string) {
  return (await world.call('searchSpace', { path: { spaceId }, query: { query } })).body;
}

const GUIDE = `Before any heading: umbrella.

## Installing

Run the **installer** with [care](https://example.com/umbrella-link).

## Café & co

\`\`\`sh
brew install umbrella
\`\`\`

## Installing

Again.
`;

describe('platform/search', () => {
  it('finds pages by their words, with the sections that hold them and where those stand', async () => {
    await using world = await createWorld();
    const { spaceId, pages } = await spaceWithPages(world, { Guide: GUIDE, Other: 'nothing here' });
    const found = await search(world, spaceId, 'installer care');
    expect(found.count).toBe(1);
    const page = at(found.items, 0);
    expect(page).toMatchObject({ id: pages['Guide'], title: 'Guide', path: 'guide' });
    expect(page.sections).toEqual([
      {
        id: `${pages['Guide']}#installing`,
        title: 'Installing',
        path: 'guide#installing',
        body: 'Run the installer with care.',
        urls: { app: expect.stringContaining(`/p/${pages['Guide']}#installing`) },
      },
    ]);
    const code = await search(world, spaceId, 'umbrella');
    expect(
      at(code.items, 0)
        .sections?.map(({ path }) => path)
        .toSorted(),
    ).toEqual(['guide', 'guide#café-co']);
    const twice = await search(world, spaceId, 'installing');
    expect(
      at(twice.items, 0)
        .sections?.map(({ path }) => path)
        .toSorted(),
    ).toEqual(['guide#installing', 'guide#installing-1']);
  });

  it('puts a page whose title says it before one whose text does', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, { One: 'about retention, at length', Retention: 'short' });
    expect((await search(world, spaceId, 'retention')).items.map(({ title }) => title)).toEqual(['Retention', 'One']);
  });

  it('takes an unfinished last word, accents or none, and whatever people type', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, { Guide: GUIDE });
    for (const query of ['insta', 'cafe', 'CAFÉ', '"installer', 'guide', 'guide:* -']) {
      expect((await search(world, spaceId, query)).count, query).toBe(1);
    }
    for (const query of ['!?', 'NOT installer AND OR', 'installer elsewhere']) {
      expect((await search(world, spaceId, query)).count, query).toBe(0);
    }
    const long = await world.call('searchSpace', { path: { spaceId }, query: { query: 'x'.repeat(513) } });
    expect(long.status).toBe(400);
    expect(long.body.error.message).toContain('query');
    expect((await world.call('searchSpace', { path: { spaceId } })).status).toBe(400);
  });

  it('finds a page by words that stand in its title and in several of its sections, behind pages that have them together', async () => {
    await using world = await createWorld();
    const { spaceId, pages } = await spaceWithPages(world, {
      Umbrellas: GUIDE,
      Together: 'umbrellas and care',
      Neither: 'care alone',
    });
    const found = await search(world, spaceId, 'umbrellas care');
    expect(found.items.map(({ title }) => title)).toEqual(['Together', 'Umbrellas']);
    const paths = at(found.items, 1).sections?.map(({ path }) => path);
    expect(paths?.toSorted()).toEqual(['umbrellas', 'umbrellas#installing']);
    expect((await search(world, spaceId, 'umbrellas brew care insta')).items.map(({ id }) => id)).toEqual([
      pages['Umbrellas'],
    ]);
    for (const query of ['umbrellas care nowhere', 'alone umbrellas']) {
      expect((await search(world, spaceId, query)).count, query).toBe(0);
    }
    const path = { spaceId };
    const query = { query: 'umbrellas care', limit: 1 };
    expect((await listAll(world, 'searchSpace', { path, query })).map(({ title }) => title)).toEqual([
      'Together',
      'Umbrellas',
    ]);
    // As many words as a query can have.
    const many = Array.from({ length: 250 }, (_, i) => String.fromCodePoint(0x400 + i)).join(' ');
    expect((await search(world, spaceId, many)).count).toBe(0);
  });

  it('finds words in the middle of a text that is written without spaces', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {
      安装指南: '如何在服务器上安装软件并配置数据库。',
      ガイド: 'データベースを設定します。',
      คู่มือ: 'วิธีติดตั้งโปรแกรม',
    });
    for (const query of ['数据库', '配置', '指', '安装 数据库', 'データ', '設定', 'ติดตั้ง']) {
      expect((await search(world, spaceId, query)).count, query).toBe(1);
    }
    // The same letters in another order are another word.
    for (const query of ['库据数', '置配', '设定']) expect((await search(world, spaceId, query)).count, query).toBe(0);
  });

  it('follows the main content: merges, imports, deleted pages, and not what is only proposed', async () => {
    await using world = await createWorld();
    const { spaceId, pages } = await spaceWithPages(world, { One: 'apple', Two: 'pear' });
    const request = await world.call('createChangeRequest', { path: { spaceId }, body: {} });
    const path = { spaceId, changeRequestId: request.body.id };
    const changes = [
      { type: 'update_page', page: pages['One'], document: { markdown: 'plum' } },
      { type: 'delete_page', page: pages['Two'] },
    ];
    await world.call('changeContent', { path, body: { changes } });
    const counts = async () =>
      Promise.all(['apple', 'pear', 'plum', 'fig'].map(async (word) => (await search(world, spaceId, word)).count));
    expect(await counts()).toEqual([1, 1, 0, 0]);
    await world.call('mergeChangeRequest', { path });
    expect(await counts()).toEqual([0, 0, 1, 0]);
    await importFiles(world, spaceId, { 'three.md': '# Three\n\nfig' });
    expect(await counts()).toEqual([0, 0, 1, 1]);
  });

  it('indexes for the search of one space no other: the first of an organization of many copies waited for all of them', async () => {
    using folder = testFolder();
    const database = folder.at('platform.db');
    await using world = await createWorld({ database });
    const { spaceId } = await spaceWithPages(world, { One: 'walnut' });
    const copy = await world.call('duplicateSpace', { path: { spaceId } });
    const reader = new Database(database, { readonly: true });
    onTestFinished(() => void reader.close());
    const indexed = (): unknown[] => reader.prepare('select space from search_spaces order by space').pluck().all();
    expect((await search(world, spaceId, 'walnut')).items).toHaveLength(1);
    expect(indexed()).toEqual([spaceId]);
    expect((await search(world, copy.body.id, 'walnut')).items).toHaveLength(1);
    expect(indexed()).toEqual([spaceId, copy.body.id].toSorted());
  });

  it('finds what was written to a platform that indexes late, which takes it in without an index', async () => {
    using folder = testFolder();
    const database = folder.at('platform.db');
    await using world = await createWorld({ database, indexesLate: true });
    const { spaceId } = await spaceWithPages(world, { One: 'walnut' });
    await importFiles(world, spaceId, { 'two.md': '# Two\n\nwalnut' });
    const reader = new Database(database, { readonly: true });
    onTestFinished(() => void reader.close());
    const sections = reader.prepare('select count(*) from search_sections').pluck();
    expect(sections.get()).toBe(0);
    expect((await search(world, spaceId, 'walnut')).count).toBe(2);
    await importFiles(world, spaceId, { 'three.md': '# Three\n\nwalnut' });
    expect((await search(world, spaceId, 'walnut')).count).toBe(3);
  });

  it('finds in copies, and no more in spaces that are deleted', async () => {
    await using world = await createWorld();
    const path = { organizationId: world.organization };
    const { spaceId } = await spaceWithPages(world, { One: 'walnut' });
    const copy = await world.call('duplicateSpace', { path: { spaceId } });
    const spaces = async () => {
      const found = await world.call('searchOrganization', { path, query: { query: 'walnut' } });
      return found.body.items.map((item) => item.id).toSorted();
    };
    expect(await spaces()).toEqual([spaceId, copy.body.id].toSorted());
    await world.call('deleteSpace', { path: { spaceId } });
    expect(await spaces()).toEqual([copy.body.id]);
    await world.call('restoreSpace', { path: { spaceId } });
    expect(await spaces()).toHaveLength(2);
  });

  it('shows people only what they may see', async () => {
    await using world = await createWorld();
    const organizationId = world.organization;
    const { spaceId } = await spaceWithPages(world, { One: 'secretword' });
    const person = { displayName: 'Pat', email: 'pat@example.com', organization: organizationId };
    const { token } = world.platform.createUser({ ...person, role: 'read' });
    const count = async () => {
      const query = { query: 'secretword' };
      return (await world.call('searchOrganization', { path: { organizationId }, query, token })).body.count;
    };
    expect(await count()).toBe(1);
    await world.call('updateSpace', { path: { spaceId }, body: { defaultLevel: null } });
    expect(await count()).toBe(0);
  });

  it('pages its results in one order, nothing twice', async () => {
    await using world = await createWorld();
    const pages = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`Page ${i}`, 'same words here']));
    const { spaceId } = await spaceWithPages(world, pages);
    const query = { query: 'words', limit: 6 };
    const found = await listAll(world, 'searchSpace', { path: { spaceId }, query });
    expect(new Set(found.map(({ id }) => id)).size).toBe(21);
    expect(found).toHaveLength(21);
    // A space is one item of its organization's results, which cannot be paged.
    const path = { organizationId: world.organization };
    const { body } = await world.call('searchOrganization', { path, query });
    expect(at(body.items, 0).pages).toHaveLength(20);
  });
});
