// A look at the platform itself, over what settled change requests share with their spaces.
import { describe, expect, it } from 'vitest';
import { askedBy } from '../../src/app/restoring/live-platform.ts';
import { seededRandom } from '../../src/base/index.ts';
import { readerAt, spotCheck, type LivePlatform } from '../../src/mirror/index.ts';
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

describe('mirror/check/spot-check, over shared trees', () => {
  it('asks for what they show, too, and finds it the same: check --live never asked for such a page', async () => {
    await using world = await TestWorld.create();
    const path = { organizationId: world.organization };
    const { id: space } = await world.api.createSpace({ path, body: { title: 'Guide' } });
    await edit(world, space, insert('Top', '# Top'), insert('Other', 'Beside.'));
    await edit(world, space, insert('Third', 'More.'));
    await world.sync();
    const asked: string[] = [];
    const found = await spotCheck(world.mirror, { count: 1000, random: seededRandom(1), live: live(world, asked) });
    expect(found).toMatchObject({ asked: asked.length, same: asked.length, problems: [] });
    const reader = readerAt(world.mirror, 1);
    for (const kind of KINDS) expect(asked.filter((one) => one === kind)).toHaveLength(reader.count(kind));
    expect(rowsOf(world.mirror, 'select sum(amount) > 2 as many from shared_trees')).toEqual([{ many: 1 }]);
  });
});
