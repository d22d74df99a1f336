// A full walk of what merged change requests show as their spaces do.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { checkMirror } from '../../src/mirror/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

it.each(['markdown', 'document'])(
  'walker: a full walk mends a wrong %s under the same id in merged change requests, too: they showed it for good, in complete snapshots',
  async (field) => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Guide');
    await edit(world, space, insert('Top', 'First.'));
    await edit(world, space, insert('Other', 'Beside.'));
    await using proxy = await rewriting(world);
    const wrong = field === 'markdown' ? 'Something else.' : { object: 'document', data: {}, nodes: [] };
    proxy.rewrite = ({ path }, { status, body }) =>
      path.includes('/content/page/') && isRecord(body) && field in body
        ? { status, body: { ...body, [field]: wrong } }
        : undefined;
    const settings = { documents: true };
    await world.sync({ settings, client: proxy.client });
    const { snapshot } = await world.sync({ settings, mode: 'full' });
    using fresh = await world.newMirror();
    const truth = stateOf(fresh, (await world.sync({ settings, mirror: fresh })).snapshot.id);
    expect(snapshot.state).toBe('complete');
    expect(stateOf(world.mirror, snapshot.id)).toEqual(truth);
    expect((await checkMirror(world.mirror, { readData: true })).problems).toEqual([]);
  },
);
