import { describe, expect, it } from 'vitest';
import { mergeReusableContents } from '../../src/platform/content/merge-reusable-contents.ts';
import type { Tree, TreeReusableContent } from '../../src/platform/content/tree.ts';
import { at, createWorld, importFiles, serveBytes, spaceWithPages, zipOf, type World } from './world.ts';

const DOT = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

const FILES = {
  'SUMMARY.md': '* [One](one.md)\n  * [Two](deep/two.md)\n',
  'one.md':
    '# One\n\n{% include ".docmirror/includes/note.md" %}\n\nSee [the note](.docmirror/includes/note.md#part).\n',
  'deep/two.md':
    '# Two\n\n{% include "../.platform/includes/deep/limits.md" %}\n\n`{% include "../includes/x.md" %}`\n',
  '.docmirror/includes/note.md':
    '---\ntitle: Note\n---\n\nBack to [one](../../one.md), ![dot](../../assets/dot.gif)\n\n{% include "../../includes/with-name.md" %}\n',
  '.platform/includes/deep/limits.md': '# Limits\n\nNo more than **ten**.\n',
  'includes/with-name.md': 'Plain.\n',
  'assets/dot.gif': DOT,
};

async function contentOf(world: World, spaceId: string, changeRequestId?: string) {
  return changeRequestId === undefined
    ? (await world.call('getRevision', { path: { spaceId } })).body
    : (await world.call('getChangeRequestRevision', { path: { spaceId, changeRequestId } })).body;
}

async function contentsByTitle(world: World, spaceId: string, changeRequestId?: string) {
  const { reusableContents } = await contentOf(world, spaceId, changeRequestId);
  return new Map(reusableContents.map((content) => [content.title, content]));
}

async function markdownOf(world: World, spaceId: string, pageId: string): Promise<string> {
  const { body } = await world.call('getPage', { path: { spaceId, pageId }, query: { format: 'markdown' } });
  return body.markdown ?? '';
}

async function filled(world: World): Promise<string> {
  const { spaceId } = await spaceWithPages(world, {});
  await importFiles(world, spaceId, FILES);
  return spaceId;
}

async function importInto(world: World, path: Record<string, string>, files: Record<string, string>) {
  await using source = await serveBytes(await zipOf(files));
  return await world.call('importChangeRequestContent', { path, body: { url: source.url, source: 'zip' } });
}

describe('platform/import reusable contents', () => {
  it('makes them of the Markdown in the folders for includes, titled as pages are, and counts them', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const reply = await importFiles(world, spaceId, FILES);
    expect(reply.body).toMatchObject({ importedResources: 6, totalResources: 6 });
    const content = await contentOf(world, spaceId);
    expect(content.reusableContents.map(({ title }) => title).sort()).toEqual(['Limits', 'Note', 'With name']);
    expect(content.reusableContents.every(({ document }) => typeof document === 'string')).toBe(true);
    expect(content.pages.map(({ title, pages }) => [title, pages?.map((page) => page.title)])).toEqual([
      ['One', ['Two']],
    ]);
  });

  it('points includes and other links at them by id, and leaves code alone', async () => {
    await using world = await createWorld();
    const spaceId = await filled(world);
    const { pages } = await contentOf(world, spaceId);
    const contents = await contentsByTitle(world, spaceId);
    const one = at(pages, 0);
    const note = contents.get('Note')?.id;
    expect(await markdownOf(world, spaceId, one.id)).toBe(
      `# One\n\n{% include "/reusable-contents/${note}" %}\n\nSee [the note](/reusable-contents/${note}#part).\n`,
    );
    expect(await markdownOf(world, spaceId, at(one.pages, 0).id)).toBe(
      `# Two\n\n{% include "/reusable-contents/${contents.get('Limits')?.id}" %}\n\n\`{% include "../includes/x.md" %}\`\n`,
    );
    const shown = await world.call('getPage', { path: { spaceId, pageId: one.id }, query: { format: 'document' } });
    expect(shown.body.document?.nodes[0]).toMatchObject({
      type: 'reusable-content',
      data: { ref: `/reusable-contents/${note}` },
    });
  });

  it('knows them again by title: the same id, and a new document when the text differs', async () => {
    await using world = await createWorld();
    const spaceId = await filled(world);
    const before = await contentsByTitle(world, spaceId);
    const changed = { ...FILES, '.platform/includes/deep/limits.md': '# Limits\n\nNo more than **twelve**.\n' };
    await importFiles(world, spaceId, { ...changed, 'includes/more.md': '' });
    const after = await contentsByTitle(world, spaceId);
    expect(after.get('Note')).toEqual(before.get('Note'));
    expect(after.get('Limits')?.id).toBe(before.get('Limits')?.id);
    expect(after.get('Limits')?.document).not.toBe(before.get('Limits')?.document);
    expect(after.get('More')).toEqual({ id: expect.any(String), title: 'More' });
    expect(after.size).toBe(4);
  });

  it('keeps those that share a title apart', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const files = { 'includes/a.md': '# Same\n\na', 'includes/b.md': '# Same\n\nb' };
    await importFiles(world, spaceId, files);
    const { reusableContents } = await contentOf(world, spaceId);
    expect(new Set(reusableContents.map(({ id }) => id)).size).toBe(2);
    await importFiles(world, spaceId, files);
    expect((await contentOf(world, spaceId)).reusableContents).toEqual(reusableContents);
  });

  it('takes a file that the table of contents names as a page', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const files = { 'SUMMARY.md': '* [Includes](includes/a.md)\n', 'includes/a.md': '# A', 'includes/b.md': '# B' };
    await importFiles(world, spaceId, files);
    const content = await contentOf(world, spaceId);
    expect(content.pages.map(({ title }) => title)).toEqual(['Includes']);
    expect(content.reusableContents.map(({ title }) => title)).toEqual(['B']);
  });
});

describe('platform/content reusable contents', () => {
  it('stand in the lists of links, in order or broken, as what the page depends on', async () => {
    await using world = await createWorld();
    const spaceId = await filled(world);
    const note = (await contentsByTitle(world, spaceId)).get('Note');
    const one = at((await contentOf(world, spaceId)).pages, 0).id;
    const ofPage = await world.call('listPageLinks', { path: { spaceId, pageId: one } });
    expect(ofPage.body.items).toMatchObject([
      { status: 'ok', relation: 'dependsOn', targetReference: { kind: 'reusable-content', reusableContent: note } },
    ]);
    const request = await world.call('createChangeRequest', { path: { spaceId }, body: {} });
    const path = { spaceId, changeRequestId: request.body.id };
    const markdown = '# One\n\n{% include "/reusable-contents/gone" %}\n';
    await world.call('changeContent', {
      path,
      body: { changes: [{ type: 'update_page', page: one, document: { markdown } }] },
    });
    const proposed = await world.call('listChangeRequestPageLinks', { path: { ...path, pageId: one } });
    expect(proposed.body.items).toMatchObject([
      { status: 'broken', relation: 'dependsOn', targetReference: { reusableContent: { id: 'gone' } } },
    ]);
    expect(proposed.body.stats?.broken.changeRequest).toBe(1);
  });

  it('hold links themselves', async () => {
    await using world = await createWorld();
    const spaceId = await filled(world);
    const note = (await contentsByTitle(world, spaceId)).get('Note');
    const content = await contentOf(world, spaceId);
    const all = await world.call('listSpaceLinks', { path: { spaceId }, query: { status: 'ok' } });
    const locations = (kind: string) =>
      all.body.items.filter((link) => link.targetReference?.kind === kind).flatMap((link) => link.locationReferences);
    expect(locations('page')).toMatchObject([{ kind: 'reusable-content', reusableContent: note }]);
    const fileId = at(content.files, 0).id;
    const back = await world.call('listFileBacklinks', { path: { spaceId, fileId } });
    expect(back.body.items).toMatchObject([{ kind: 'reusable-content', reusableContent: note }]);
  });

  it('are copied with the space, under new ids that the copied pages name', async () => {
    await using world = await createWorld();
    const spaceId = await filled(world);
    const copy = (await world.call('duplicateSpace', { path: { spaceId } })).body.id;
    const [before, after] = [await contentsByTitle(world, spaceId), await contentsByTitle(world, copy)];
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [title, content] of after) {
      expect(content.id).not.toBe(before.get(title)?.id);
      expect(content.document).not.toBe(before.get(title)?.document);
    }
    const one = at((await contentOf(world, copy)).pages, 0).id;
    expect(await markdownOf(world, copy, one)).toContain(`{% include "/reusable-contents/${after.get('Note')?.id}" %}`);
    const links = await world.call('listSpaceLinks', { path: { spaceId: copy } });
    expect(links.body.stats?.broken.total).toBe(0);
  });

  it('go through a change request: imported into it, pulled into it and merged', async () => {
    await using world = await createWorld();
    const spaceId = await filled(world);
    const before = await contentsByTitle(world, spaceId);
    const request = await world.call('createChangeRequest', { path: { spaceId }, body: {} });
    const changeRequestId = request.body.id;
    const path = { spaceId, changeRequestId };
    const imported = await importInto(world, path, {
      'includes/limits.md': '# Limits\n\nEleven.\n',
      'includes/new.md': 'New',
    });
    expect(imported.body).toMatchObject({ importedResources: 2, totalResources: 2 });
    expect(await contentsByTitle(world, spaceId)).toEqual(before);
    await importFiles(world, spaceId, { 'includes/other.md': 'Other' });
    expect((await world.call('pullIntoChangeRequest', { path })).body.result).toBe('update');
    expect((await contentsByTitle(world, spaceId, changeRequestId)).has('Other')).toBe(true);
    expect((await world.call('mergeChangeRequest', { path })).body.result).toBe('merge');
    const after = await contentsByTitle(world, spaceId);
    expect([...after.keys()].sort()).toEqual(['Limits', 'New', 'Note', 'Other', 'With name']);
    expect(after.get('Limits')?.id).toBe(before.get('Limits')?.id);
    expect(after.get('Limits')?.document).not.toBe(before.get('Limits')?.document);
  });

  it('conflict when both sides changed the text', async () => {
    await using world = await createWorld();
    const spaceId = await filled(world);
    const request = await world.call('createChangeRequest', { path: { spaceId }, body: {} });
    const path = { spaceId, changeRequestId: request.body.id };
    await importInto(world, path, { 'includes/limits.md': '# Limits\n\nEleven.\n' });
    await importFiles(world, spaceId, { 'includes/limits.md': '# Limits\n\nTwelve.\n' });
    expect((await world.call('mergeChangeRequest', { path })).body.result).toBe('conflicts');
    expect((await contentsByTitle(world, spaceId)).size).toBe(3);
  });

  it('are drawn where a page includes them, and once in a circle', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const loop = `${'Included words. '.repeat(3000)}\n\n{% include "loop.md" %}\n`;
    await importFiles(world, spaceId, {
      'a.md': '# A\n\n{% include "includes/loop.md" %}\n',
      'includes/loop.md': loop,
    });
    const request = await world.call('createChangeRequest', { path: { spaceId }, body: {} });
    const { body } = await world.call('getChangeRequestPdf', { path: { spaceId, changeRequestId: request.body.id } });
    const pdf = Buffer.from(await (await fetch(body.url)).arrayBuffer()).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(5);
  });
});

describe('platform/content/merge-reusable-contents', () => {
  const tree = (...reusableContents: TreeReusableContent[]): Tree => ({ pages: [], files: [], reusableContents });
  const one = (title: string, documentId: string): TreeReusableContent => ({ id: 'a', title, documentId });
  const merge = (base: Tree, into: Tree, from: Tree) =>
    mergeReusableContents({ base, into, from, joinTexts: (kept, displaced) => `${kept}+${displaced}` });

  it('takes over what one side changed', () => {
    const [base, changed] = [tree(one('t', '1')), tree(one('t', '2'))];
    expect(merge(base, base, changed)).toEqual({ reusableContents: changed.reusableContents, conflicts: false });
    expect(merge(base, changed, base)).toEqual({ reusableContents: changed.reusableContents, conflicts: false });
    expect(merge(base, base, tree())).toEqual({ reusableContents: [], conflicts: false });
  });

  it('joins texts that contradict each other and keeps what the other side did to the title', () => {
    expect(merge(tree(one('t', '1')), tree(one('New', '2')), tree(one('t', '3')))).toEqual({
      reusableContents: [one('New', '3+2')],
      conflicts: true,
    });
  });

  it('never loses an edit to a deletion on the other side', () => {
    const [base, edited] = [tree(one('t', '1')), tree(one('t', '2'))];
    expect(merge(base, edited, tree())).toEqual({ reusableContents: edited.reusableContents, conflicts: true });
    expect(merge(base, tree(), edited)).toEqual({ reusableContents: edited.reusableContents, conflicts: true });
  });
});
