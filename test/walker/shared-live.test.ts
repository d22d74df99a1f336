// A look at the platform itself, over what settled change requests share with their spaces.
import { describe, expect, it } from 'vitest';
import { isRecord, seededRandom } from '../../src/base/index.ts';
import { kindOf, operationOf, pathParameters } from '../../src/contract/index.ts';
import { readerAt, spotCheck, type ReadLive } from '../../src/mirror/index.ts';
import { edit, insert } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const KINDS = ['change-request-page', 'change-request-file'] as const;

function live({ client }: TestWorld, asked: string[]): ReadLive {
  return async ({ kind, params }) => {
    asked.push(kind);
    const operation = kindOf(kind).get;
    if (operation === undefined) throw new Error(`${kind} is not read alone`);
    const { path, query } = operationOf(operation);
    const input = {
      path: Object.fromEntries(pathParameters(path).map((name) => [name, params[name] ?? ''])),
      query: Object.hasOwn(query?.properties ?? {}, 'format') ? { format: 'markdown' } : {},
    };
    const body = await client.callRaw(operation, input);
    return isRecord(body) ? { is: 'there', body } : { is: 'unread', why: 'the answer is not an object' };
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
    const found = await spotCheck(world.mirror, { count: 1000, random: seededRandom(1), read: live(world, asked) });
    expect(found).toMatchObject({ asked: asked.length, same: asked.length, problems: [] });
    const reader = readerAt(world.mirror, 1);
    for (const kind of KINDS) expect(asked.filter((one) => one === kind)).toHaveLength(reader.count(kind));
    expect(rowsOf(world.mirror, 'select sum(amount) > 2 as many from shared_trees')).toEqual([{ many: 1 }]);
  });
});
