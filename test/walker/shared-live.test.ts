// A look at the platform itself, over what settled change requests share with their spaces.
import { describe, expect, it } from 'vitest';
import { askedBy } from '../../src/app/restoring/live-platform.ts';
import { atOnce, seededRandom } from '../../src/base/index.ts';
import { checkMirror, forget, prune, readerAt, spotCheck, type LivePlatform } from '../../src/mirror/index.ts';
import { edit, insert } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const KINDS = ['change-request-page', 'change-request-file'] as const;

function live({ client }: TestWorld, asked: string[]): LivePlatform {
  const { signal } = new AbortController();
  const { read, list } = askedBy(client, { pageSize: 100, signal });
  return {
    read: (one) => {
      asked.push(one.kind);
      return read(one);
    },
    list,
  };
}

async function merged(): Promise<TestWorld> {
  const world = await TestWorld.create();
  const path = { organizationId: world.organization };
  const { id: space } = await world.api.createSpace({ path, body: { title: 'Guide' } });
  await edit(world, space, insert('Top', '# Top'), insert('Other', 'Beside.'));
  await edit(world, space, insert('Third', 'More.'));
  await world.sync({ settings: { documents: true } });
  return world;
}

describe('mirror/check, over shared trees', () => {
  it('names what is damaged of what a merged change request alone shows, since its space has moved on: check passed over broken JSON, and named nothing but numbers', async () => {
    await using world = await merged();
    const { mirror } = world;
    const settings = { documents: true };
    const words = 'Words that stay. '.repeat(9);
    const [page] = rowsOf(mirror, `select id, space from pages where title = 'Other'`);
    const change = async (text: string): Promise<void> => {
      const document = { markdown: `${text} ${words}` };
      await edit(world, String(page?.['space']), { type: 'update_page', page: String(page?.['id']), document });
      await world.sync({ settings });
    };
    await change('Before.');
    await change('After.');
    atOnce(forget(mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
    atOnce(prune(mirror));
    const damaged = (table: string, set: string, column: string): number => {
      const held = 'select body from versions union select text from versions where text is not null';
      const lone = `bid in (select ${column} from shared_entries) and bid not in (${held})`;
      return mirror.store.driver.prepare(`update ${table} set data = ${set} where ${lone}`).run().changes;
    };
    const named = async (readData: boolean): Promise<Set<string>> => {
      const { problems } = await checkMirror(mirror, { readData });
      return new Set(problems.map(({ which, problem }) => `${/\((\S+) .*\)/.exec(which)?.[1] ?? which}: ${problem}`));
    };
    expect(damaged('bodies', `'x' || data`, 'body')).toBeGreaterThan(0);
    expect(await named(false)).toEqual(new Set(['change-request-page: it is no JSON any more']));
    for (const column of ['text', 'document']) expect(damaged('superseded', `x'00'`, column)).toBeGreaterThan(0);
    expect(await named(true)).toEqual(
      new Set([
        'change-request-page: its text has another hash',
        'change-request-page: it can no longer be read',
        'change-request-page-document: it can no longer be read',
      ]),
    );
  });
});

describe('mirror/check/spot-check, over shared trees', () => {
  it('asks for what they show, too, and finds it the same: check --live never asked for such a page', async () => {
    await using world = await merged();
    const asked: string[] = [];
    const found = await spotCheck(world.mirror, { count: 1000, random: seededRandom(1), live: live(world, asked) });
    expect(found).toMatchObject({ asked: asked.length, same: asked.length, problems: [] });
    const reader = readerAt(world.mirror, 1);
    for (const kind of KINDS) expect(asked.filter((one) => one === kind)).toHaveLength(reader.count(kind));
    expect(rowsOf(world.mirror, 'select sum(amount) > 2 as many from shared_trees')).toEqual([{ many: 1 }]);
  });
});
