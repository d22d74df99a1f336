// A snapshot that knows of a page its title and its place, and not its text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportSnapshot } from '../../src/export/index.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { mirrored, type Mirrored } from '../support/in-place.ts';
import { drill } from '../support/restore.ts';

let world: Mirrored['world'];
let place: Mirrored['place'];
let space: string;
let broken: string;

beforeEach(async () => {
  ({ world, place } = await mirrored(async (made) => {
    space = await addSpace(made, 'Docs');
    await edit(made, space, insert('Broken', 'two'), insert('Last', 'three'));
    broken = (await pagesOf(made, space))['Broken'] ?? '';
    await edit(made, space, insert('Below', 'four', { into: broken }));
    const effect = { status: 500 };
    made.platform.faults = [{ operation: 'getPage', pathPattern: `/page/${broken}`, effect }];
  }));
  world.platform.faults = [];
});

afterEach(() => world[Symbol.asyncDispose]());

describe('a page whose text was never read', () => {
  it('comes back with its name, and what stands below it in its place: that came back at the top, and no drill passed', async () => {
    const { passed, differences } = await drill(world);
    expect([passed, differences.filter(({ kind }) => kind === 'page')]).toEqual([true, []]);
  });

  it('is left as it stands by a restore in place, and its name set back', async () => {
    await edit(world, space, { type: 'update_page', page: broken, title: 'Renamed', document: { markdown: 'New.' } });
    const plan = await place.plan({ scope: `space:${space}` });
    const { restore } = await place.apply(plan);
    const page = await world.api.getPage({ path: { spaceId: space, pageId: broken }, query: { format: 'markdown' } });
    expect(page).toMatchObject({ title: 'Broken', markdown: '# Broken\n\nNew.' });
    expect(await place.verify(restore)).toMatchObject({ passed: true });
  });

  it('is no difference where its text alone is read by now', async () => {
    const { steps } = await place.plan({ scope: `space:${space}` });
    expect(steps).toEqual([]);
  });

  it('says so in its exported file', async () => {
    const to = join(world.folder(), 'out');
    await exportSnapshot({ mirror: world.mirror, snapshot: 1, to });
    const [file = ''] = readdirSync(to, { recursive: true, encoding: 'utf8' }).filter((path) => /broken\W/.test(path));
    expect(readFileSync(join(to, file), 'utf8')).toMatch(/^---\n.*\nunread: true\n---\n\n# Broken\n$/s);
  });
});
