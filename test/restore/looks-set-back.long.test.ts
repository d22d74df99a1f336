// Where a link leads, and the cover and layout of a page: only an import sets them, in a space that stands too.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addSpace, edit, flatten, importFiles, pagesOf, PNG } from '../support/content.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { planTree } from '../support/plan-tree.ts';
import { withoutImport } from '../support/restore.ts';
import { worldAnew } from '../support/copied-world.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let place: InPlace;
let space: string;

const TEXTS = { 'b.md': '# B\n\nOf B, see [A](a.md).\n', 'assets/logo.png': PNG };

const anew = worldAnew(async (one) => {
  const looks = await addSpace(one, 'Looks');
  await importFiles(one, looks, {
    ...TEXTS,
    'SUMMARY.md': '* [A](a.md)\n  * [Site](https://example.com/was)\n* [B](b.md)\n',
    'a.md': '---\ncover: assets/logo.png\nlayout:\n  outline:\n    visible: false\n---\n# A\n\nOf A, see [B](b.md).\n',
  });
  await one.sync();
  return { space: looks };
});

beforeEach(async () => {
  ({ world, space } = await anew());
  place = inPlace(world);
});

afterEach(() => world[Symbol.asyncDispose]());

/** Somebody makes the link lead elsewhere and takes cover and layout away. */
async function change(): Promise<void> {
  await importFiles(world, space, {
    ...TEXTS,
    'SUMMARY.md': '* [A](a.md)\n  * [Site](https://example.com/is)\n* [B](b.md)\n',
    'a.md': '# A\n\nOf A, see [B](b.md).\n',
  });
}

async function shown(): Promise<unknown[]> {
  const { pages } = await world.api.getRevision({ path: { spaceId: space } });
  return flatten(pages).map(
    ({ createdAt: _made, updatedAt: _at, documentId: _document, pages: _below, ...page }) => page,
  );
}

async function textsOf(): Promise<(string | undefined)[]> {
  const query = { format: 'markdown' } as const;
  const { A: a = '', B: b = '' } = await pagesOf(world, space);
  const read = [a, b].map((pageId) => world.api.getPage({ path: { spaceId: space, pageId }, query }));
  return (await Promise.all(read)).map(({ markdown }) => markdown);
}

/** Makes a link of the space lead somewhere; its title is not the one that it was made by. */
function leadingOf(spaceId: string): (href: string) => Promise<string> {
  return async (href) => {
    await importFiles(world, spaceId, { 'SUMMARY.md': `* [First](${href})\n` });
    const [link] = flatten((await world.api.getRevision({ path: { spaceId } })).pages);
    await edit(world, spaceId, { type: 'update_page', page: link?.id ?? '', title: 'Site' });
    return link?.id ?? '';
  };
}

async function leadsIn(spaceId: string): Promise<(string | undefined)[][]> {
  const { pages } = await world.api.getRevision({ path: { spaceId } });
  return flatten(pages).map(({ id, title, slug, href }) => [id, title, slug, href]);
}

it('restore/in-place says which links of the table of contents lead to what comes back with another id, and the next plan sets them', async () => {
  const { A: page = '', B: other = '' } = await pagesOf(world, space);
  const { urls } = await world.api.getPage({ path: { spaceId: space, pageId: other } });
  const links = await addSpace(world, 'Links');
  const to = urls?.app ?? '';
  await importFiles(world, links, { 'SUMMARY.md': `* [To B](${to}#there)\n* [Out](https://example.com)\n` });
  const twins = await addSpace(world, 'Twins');
  await leadingOf(twins)(to);
  await edit(world, twins, { type: 'insert_page', title: 'Mine', slug: 'site', document: { markdown: 'x' } });
  const { snapshot } = await world.sync();
  await edit(world, space, { type: 'delete_page', page: other }, { type: 'update_page', page, title: 'Aa' });
  const first = await place.plan({ snapshot: snapshot.id });
  expect(first.steps.filter(({ action }) => action === 'unsupported').map(({ title, note }) => [title, note])).toEqual([
    ['Site', expect.stringContaining('leads to what comes back with another id')],
    ['To B', expect.stringContaining('leads to what comes back with another id')],
  ]);
  expect((await place.apply(first)).failures).toEqual([]);
  const second = await place.plan({ snapshot: snapshot.id });
  expect(planTree(second)).toEqual([
    expect.stringContaining('page Site  (leads elsewhere now'),
    expect.stringMatching(/^~ revision Links /),
    '    ~ page To B  (href)',
  ]);
  const { restore, failures } = await place.apply(second);
  expect(failures).toEqual([]);
  const { B: now = '' } = await pagesOf(world, space);
  const there = await world.api.getPage({ path: { spaceId: space, pageId: now } });
  const { pages } = await world.api.getRevision({ path: { spaceId: links } });
  expect(pages.map(({ href }) => href)).toEqual([`${there.urls?.app ?? ''}#there`, 'https://example.com']);
  expect(now).not.toBe(other);
  expect((await place.verify(restore)).passed).toBe(true);
  expect((await place.plan({ snapshot: snapshot.id })).steps.map(({ title, part }) => [title, part])).toEqual([
    ['Site', 'none'],
  ]);
  const { 'To B': link = '' } = await pagesOf(world, links);
  await edit(world, links, { type: 'update_page', page: link, title: 'Spam' });
  expect(planTree(await place.plan({ snapshot: snapshot.id }))).toContainEqual('    ~ page To B  (title)');
});

it('restore/in-place sets a link back that leads to another page by now, or to another place in the same', async () => {
  const { A: a = '', B: b = '' } = await pagesOf(world, space);
  const [toA, toB] = await Promise.all(
    [a, b].map(async (pageId) => (await world.api.getPage({ path: { spaceId: space, pageId } })).urls?.app ?? ''),
  );
  const links = await addSpace(world, 'Links');
  await importFiles(world, links, { 'SUMMARY.md': `* [One](${toB}#there)\n* [Two](${toA})\n` });
  const { snapshot } = await world.sync();
  await importFiles(world, links, { 'SUMMARY.md': `* [One](${toB}#elsewhere)\n* [Two](${toB})\n` });
  const plan = await place.plan({ snapshot: snapshot.id });
  const [step] = plan.steps;
  expect(step?.pages?.changed.map(({ title, why }) => [title, why])).toEqual([
    ['One', ['href']],
    ['Two', ['href']],
  ]);
  expect((await place.apply(plan)).failures).toEqual([]);
  const { pages } = await world.api.getRevision({ path: { spaceId: links } });
  expect(pages.map(({ href }) => href)).toEqual([`${toB}#there`, toA]);
});

it('restore/in-place writes nothing over what it mends in the same space for such a link', async () => {
  const far = await addSpace(world, 'Far');
  await importFiles(world, far, { 'there.md': '# There\n\nOf it.\n' });
  const { There: pageId = '' } = await pagesOf(world, far);
  const { urls } = await world.api.getPage({ path: { spaceId: far, pageId } });
  await importFiles(world, space, {
    'SUMMARY.md': `* [A](a.md)\n  * [To it](${urls?.app ?? ''})\n`,
    'a.md': '# A\n\nMine.\n',
  });
  const { snapshot } = await world.sync();
  await edit(world, far, { type: 'delete_page', page: pageId });
  expect((await place.apply(await place.plan({ snapshot: snapshot.id }))).failures).toEqual([]);
  const { A: page = '' } = await pagesOf(world, space);
  await edit(world, space, { type: 'update_page', page, document: { markdown: '# A\n\nSpoiled.' } });
  const second = await place.plan({ snapshot: snapshot.id });
  expect((await place.apply(second)).failures).toEqual([]);
  expect((await textsOf())[0]).toContain('Mine.');
  const third = await place.plan({ snapshot: snapshot.id });
  expect(planTree(third).slice(1)).toEqual(['    ~ page To it  (href)']);
  expect((await place.apply(third)).failures).toEqual([]);
  expect((await textsOf())[0]).toContain('Mine.');
  expect((await place.plan({ snapshot: snapshot.id })).steps).toEqual([]);
});

it('restore/in-place does so of a link to a page of a space that is made anew', async () => {
  const { B: pageId = '' } = await pagesOf(world, space);
  const { urls } = await world.api.getPage({ path: { spaceId: space, pageId } });
  const links = await addSpace(world, 'Links');
  await importFiles(world, links, { 'SUMMARY.md': `* [To B](${urls?.app ?? ''})\n` });
  const { snapshot } = await world.sync();
  await world.api.deleteSpace({ path: { spaceId: space } });
  world.clock.advance(8 * 86_400_000);
  const first = await place.plan({ snapshot: snapshot.id });
  expect(planTree(first).join('\n')).toContain('page To B  (leads to what comes back with another id');
  expect((await place.apply(first)).failures).toEqual([]);
  const { failures } = await place.apply(await place.plan({ snapshot: snapshot.id }));
  expect(failures).toEqual([]);
  const [link] = (await world.api.getRevision({ path: { spaceId: links } })).pages;
  const { items } = await world.api.listMemberSpaces({
    path: { organizationId: world.organization, userId: world.platform.owner },
  });
  const anew = items.find((one) => one.space.title === 'Looks')?.space.id ?? '';
  const { B: now = '' } = await pagesOf(world, anew);
  const there = await world.api.getPage({ path: { spaceId: anew, pageId: now } });
  expect(link?.href).toBe(there.urls?.app);
});

describe('restore/in-place, what only an import sets', () => {
  it('sets it back: neither plan nor verify said a word of it, and all stayed as it was', async () => {
    const before = [await shown(), await textsOf()];
    await change();
    expect(await shown()).not.toEqual(before[0]);
    const plan = await place.plan();
    expect(planTree(plan)).toEqual(
      expect.arrayContaining([
        '    ~ page Site  (href)',
        '        href: "https://example.com/is" -> "https://example.com/was"',
        '    ~ page A  (layout, cover)',
      ]),
    );
    const { restore, failures } = await place.apply(plan);
    expect(failures).toEqual([]);
    expect([await shown(), await textsOf()]).toEqual(before);
    expect((await place.verify(restore)).passed).toBe(true);
    expect((await place.plan()).steps).toEqual([]);
  });

  it.each(['lost', 'killed'] as const)('does so where each write is %s, and takes it back', async (cut) => {
    const before = await shown();
    await change();
    const changed = await shown();
    const plan = await place.plan();
    const { restore, result } = await place.endure(plan, cut);
    expect(result.failures).toEqual([]);
    expect(await shown()).toEqual(before);
    await place.apply(await place.undo(restore, plan));
    expect(await shown()).toEqual(changed);
  });

  it('sets a title back along with it', async () => {
    const before = await shown();
    await change();
    const { Site: page = '' } = await pagesOf(world, space);
    await edit(world, space, { type: 'update_page', page, title: 'Elsewhere' });
    const { failures, restore } = await place.apply(await place.plan());
    expect(failures).toEqual([]);
    expect(await shown()).toEqual(before);
    expect((await place.verify(restore)).passed).toBe(true);
  });

  it('says what stays where there is no import', async () => {
    await change();
    withoutImport(world.platform);
    const { failures, lacking } = await place.apply(await place.plan());
    expect(lacking).toBe(1);
    expect(failures.map(({ error }) => error)).toEqual([
      'page A keeps its layout and cover: the target did not set it back; page Site keeps its href: the target did not set it back',
    ]);
  });

  it('writes no other page over that has the address which an import makes of the title of the link', async () => {
    const links = await addSpace(world, 'Links');
    const lead = leadingOf(links);
    await lead('https://example.com/was');
    await edit(world, links, { type: 'insert_page', title: 'Mine', slug: 'site', document: { markdown: 'x' } });
    const { snapshot } = await world.sync();
    await lead('https://example.com/is');
    const plan = await place.plan({ snapshot: snapshot.id });
    expect(plan.steps.map(({ action, kind, title, note }) => [action, kind, title, note])).toEqual([
      [
        'unsupported',
        'page',
        'Site',
        'leads elsewhere now, and an import that sets it back would be written over page Mine, which has its address',
      ],
    ]);
  });

  it('takes a link away again that the import made beside the one it was to set back, and says what stays', async () => {
    const links = await addSpace(world, 'Links');
    const lead = leadingOf(links);
    const link = await lead('https://example.com/was');
    const { snapshot } = await world.sync();
    await lead('https://example.com/is');
    const { failures, lacking } = await place.apply(await place.plan({ snapshot: snapshot.id }));
    expect([lacking, failures[0]?.error]).toEqual([1, 'page Site keeps its href: the target did not set it back']);
    const { pages } = await world.api.getRevision({ path: { spaceId: links } });
    expect(pages.map(({ id, title, href }) => [id, title, href])).toEqual([[link, 'Site', 'https://example.com/is']]);
  });

  it('finds a link by the title that it has where the one that it is to have finds none: it had exchanged both with a document', async () => {
    const links = await addSpace(world, 'Links');
    const summary = (href: string): string => `* [Ant](ant.md)\n* [Out](${href})\n`;
    const ant = '# Ant\n\nOf it.\n';
    await importFiles(world, links, { 'SUMMARY.md': summary('https://example.com/was'), 'ant.md': ant });
    const before = await leadsIn(links);
    const { snapshot } = await world.sync();
    const { Ant: page = '', Out: link = '' } = await pagesOf(world, links);
    const exchanged = [
      { type: 'update_page', page, title: 'Out', slug: 'x' },
      { type: 'update_page', page: link, title: 'Ant', slug: 'ant' },
    ] as const;
    await edit(world, links, ...exchanged);
    await importFiles(world, links, { 'SUMMARY.md': '* [Ant](https://example.com/is)\n' });
    const plan = await place.plan({ snapshot: snapshot.id });
    expect(planTree(plan)).toContainEqual('        href: "https://example.com/is" -> "https://example.com/was"');
    const { failures, restore } = await place.apply(plan);
    expect(failures).toEqual([]);
    expect(await leadsIn(links)).toEqual(before);
    expect((await place.verify(restore)).passed).toBe(true);
  });

  it('leaves another link alone that was made by the title of the one that is to be set back', async () => {
    const links = await addSpace(world, 'Links');
    const named = async (title: string, href: string, then: string): Promise<void> => {
      await importFiles(world, links, { 'SUMMARY.md': `* [${title}](${href})\n` });
      const { [title]: page = '' } = await pagesOf(world, links);
      await edit(world, links, { type: 'update_page', page, title: then });
    };
    await named('Site', 'https://example.com/other', 'Other');
    await named('Second', 'https://example.com/was', 'Site');
    const { snapshot } = await world.sync();
    await named('Second', 'https://example.com/is', 'Site');
    const before = await leadsIn(links);
    const { failures, lacking } = await place.apply(await place.plan({ snapshot: snapshot.id }));
    expect([lacking, failures[0]?.error]).toEqual([1, 'page Site keeps its href: the target did not set it back']);
    expect(await leadsIn(links)).toEqual(before);
  });
});
