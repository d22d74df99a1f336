// Of single pages a plan names the reusable contents that come short with them, and no others of their space.
import { expect, it } from 'vitest';
import { createTarget } from '../support/restore.ts';
import { addSpace, importFiles, pagesOf } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const FILES = {
  'SUMMARY.md': '* [Plain](plain.md)\n* [Noted](noted.md)\n',
  'plain.md': '# Plain\n\nText\n',
  'noted.md': '# Noted\n\n{% include "includes/note.md" %}\n',
  'includes/note.md': '# Note\n\nReused.\n',
  'includes/other.md': '# Other\n\nReused elsewhere.\n',
};

/** Titles of the reusable contents that a plan says do not come back, for the whole space and for each of its pages. */
async function named(sent: (text: string) => string = (text) => text): Promise<Record<string, string[]>> {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const space = await addSpace(world, 'Space');
  await importFiles(world, space, FILES);
  proxy.rewrite = (_asked, { status, body }) => ({ status, body: JSON.parse(sent(JSON.stringify(body))) as unknown });
  await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  const contents = async (scope: string): Promise<string[]> =>
    (await target.plan({ scope })).steps
      .filter(({ kind }) => kind === 'reusable-content')
      .map(({ title }) => title)
      .toSorted();
  const pages = await pagesOf(world, space);
  return {
    space: await contents(`space:${space}`),
    plain: await contents(`page:${pages['Plain'] ?? ''}`),
    noted: await contents(`page:${pages['Noted'] ?? ''}`),
  };
}

it('restore/plan of one page names no reusable content that it does not include: it named all of its space', async () => {
  expect(await named()).toEqual({ space: ['Note', 'Other'], plain: [], noted: ['Note'] });
});

it('restore/plan of one page names all of its space where the page includes what nobody knows', async () => {
  const unknown = (text: string): string => text.replaceAll(/include \\"[^"]*\\"/g, 'include \\"somewhere/note\\"');
  expect(await named(unknown)).toEqual({ space: ['Note', 'Other'], plain: [], noted: ['Note', 'Other'] });
});
