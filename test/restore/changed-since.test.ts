// Somebody works in the spaces that a restore has just made, before their links into each other are set.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import type { Page } from '../../src/contract/index.ts';
import { addSpace, edit, insert, pagesOf, type Change } from '../support/content.ts';
import { bare } from '../support/in-place.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

const CONTENT_IMPORT = /\/spaces\/([^/]+)\/content\/import$/;

let world: TestWorld;
let target: Target;
let proxy: Rewriting;
/** Id of the page that is linked to. */
let original: string;

/** Left has pages with links into Right, which is restored after it. */
beforeAll(async () => {
  ({ world } = await bare(async (one) => {
    const left = await addSpace(one, 'Left');
    one.clock.advance(1);
    const right = await addSpace(one, 'Right');
    await edit(one, right, insert('Over', 'There.'));
    const { Over: over = '' } = await pagesOf(one, right);
    original = over;
    const link = `See [over there](/spaces/${right}/pages/${over}).`;
    await edit(one, left, insert('Kept', link), insert('Edited', link), insert('Moved', link), insert('Gone', link));
    const { Gone: gone = '' } = await pagesOf(one, left);
    await edit(one, left, insert('Below', link, { into: gone }));
  }));
  target = await createTarget(world);
  proxy = await rewriting(world, target.platform);
});

afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** The text of each page of a space of the target, by its title. */
async function textsIn(spaceId: string): Promise<Record<string, string>> {
  const { api } = target.client;
  const texts: Record<string, string> = {};
  for (const [title, pageId] of Object.entries(await pagesOf(target.client, spaceId)))
    texts[title] = (await api.getPage({ path: { spaceId, pageId }, query: { format: 'markdown' } })).markdown ?? '';
  return texts;
}

/** Does this once, when the content of the second space has come; from then on the space of the first is told as it is given. */
function whenAllHaveCome(work: (left: string) => Promise<void>, told: (pages: readonly Page[]) => Page[]): void {
  const imported: string[] = [];
  proxy.rewrite = async ({ method, path }, { status, body }) => {
    const space = method === 'POST' ? CONTENT_IMPORT.exec(path)?.[1] : undefined;
    if (space !== undefined) imported.push(space);
    const [left = ''] = imported;
    if (imported.length === 2 && space !== undefined) await work(left);
    if (imported.length < 2 || method !== 'GET' || !path.endsWith(`/spaces/${left}/content`) || !isRecord(body))
      return undefined;
    return { status, body: { ...body, pages: told(body['pages'] as Page[]) } };
  };
}

/** As if the page `Moved` stood below `Kept`: no operation of the API moves a page. */
function moved(pages: readonly Page[]): Page[] {
  const below = pages.filter(({ title }) => title === 'Moved');
  return pages.flatMap((page) => {
    if (page.title === 'Moved') return [];
    return page.title === 'Kept' ? [{ ...page, pages: [...(page.pages ?? []), ...below] }] : [page];
  });
}

it('restore/apply leaves what people change in a space that it has just made: pages that they deleted came back with its links, and their edits were written over', async () => {
  let left = '';
  whenAllHaveCome(async (space) => {
    left = space;
    world.clock.advance(1000);
    const there = await pagesOf(target.client, space);
    const rewritten: Change = {
      type: 'update_page',
      page: there['Edited'] ?? '',
      title: 'Edited',
      document: { markdown: '# Edited\n\nOf somebody.' },
    };
    await edit(target.client, space, rewritten, insert('Added', 'Of somebody, too.'));
    await edit(target.client, space, { type: 'delete_page', page: there['Gone'] ?? '' });
  }, moved);
  const { client } = proxy;
  const { failures, lacking } = await target.apply(await target.plan(), { client });
  const texts = await textsIn(left);
  expect(Object.keys(texts).toSorted()).toEqual(['Added', 'Edited', 'Kept', 'Moved']);
  expect(texts['Edited']).toContain('Of somebody.');
  // The original ids are those of the mirrored platform.
  expect(texts['Kept']).not.toContain(original);
  expect(texts['Moved']).toContain(original);
  expect(lacking).toBe(1);
  expect(failures.map(({ error }) => error)).toEqual([
    'changed by somebody since, so that links into other spaces are not set: 2 pages (Edited, Moved)',
  ]);
});
