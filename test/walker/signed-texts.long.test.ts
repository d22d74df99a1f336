// Texts that show files by the addresses that their bytes are read from, which the platform signs anew with each answer.
import { expect, it } from 'vitest';
import { askedBy } from '../../src/app/restoring/live-platform.ts';
import { seededRandom } from '../../src/base/index.ts';
import { spotCheck } from '../../src/mirror/index.ts';
import { addSpace, importFiles, PNG } from '../support/content.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { shownByAddress } from '../support/shown-by-address.ts';
import { TestWorld } from '../support/world.ts';

const TEXT = '# Start\n\n![a](assets/a.png)\n';

async function shown(world: TestWorld): Promise<Rewriting> {
  const proxy = await rewriting(world);
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, {
    'SUMMARY.md': '* [Start](README.md)\n',
    'README.md': TEXT,
    'assets/a.png': PNG,
    'assets/b.txt': 'Notes',
  });
  proxy.rewrite = shownByAddress({ signed: true });
  await world.sync({ client: proxy.client });
  return proxy;
}

it('walker/observe takes a page for the same that shows its files under another signature: each was another one whenever it was read again', async () => {
  await using world = await TestWorld.create();
  await using proxy = await shown(world);
  const { kinds } = await world.sync({ client: proxy.client, mode: 'full' });
  expect(kinds['page']).toMatchObject({ changed: 0, unchanged: 1 });
});

it('check --live calls such a page the same: a mirror that is whole failed its check', async () => {
  await using world = await TestWorld.create();
  await using proxy = await shown(world);
  const live = askedBy(proxy.client, { pageSize: 100, signal: new AbortController().signal });
  const { problems, moved } = await spotCheck(world.mirror, { count: 500, random: seededRandom(1), live });
  expect({ problems, moved }).toEqual({ problems: [], moved: 0 });
});

it('walker/observe keeps a page that shows another file, or another query of what is no file', async () => {
  await using world = await TestWorld.create();
  await using proxy = await shown(world);
  const byAddress = shownByAddress({ signed: true });
  let link = '';
  proxy.rewrite = async (asked, answer) => {
    const { status, body } = (await byAddress(asked, answer)) ?? answer;
    const changed = JSON.stringify(body ?? null).replace(/(?<="markdown":".*)\n?"/, `${link}"`);
    return { status, body: JSON.parse(changed) as unknown };
  };
  for (link of ['\\n[shop](https://shop.test/?id=1)', '\\n[shop](https://shop.test/?id=2)']) {
    const { kinds } = await world.sync({ client: proxy.client, mode: 'full' });
    expect(kinds['page']?.changed).toBe(1);
  }
});
