// Which pages a change request takes away can only be told where it stands on the revision of its space that the snapshot holds.
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addRequest, addSpace, edit, insert } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting, type Rewrite } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const STAYS = '1 changed page by import, 1 page of the space that it lacks or moves stay in it';

interface Requested {
  readonly world: TestWorld;
  readonly space: string;
}

/** A space with one proposal; `newer`: and a page that came to the space after it. */
async function requested({ newer = false }: { newer?: boolean } = {}): Promise<Requested> {
  const world = await TestWorld.create();
  const space = await addSpace(world, 'Manual');
  await edit(world, space, insert('Home', 'One'));
  await addRequest(world, space, { subject: 'Proposal', changes: [insert('Said', 'Six')] });
  if (newer) await edit(world, space, insert('Fresh', 'Came after the proposal'));
  return { world, space };
}

/** What is planned for the proposal of a snapshot that was walked through the proxy. */
async function planned(world: TestWorld, rewrite: Rewrite): Promise<{ state: string; notes: string[] }> {
  await using proxy = await rewriting(world);
  proxy.rewrite = rewrite;
  const { snapshot } = await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  const { steps } = await target.plan();
  const contents = steps.filter(({ kind }) => kind === 'change-request-revision');
  return { state: snapshot.state, notes: contents.map(({ note }) => note) };
}

describe('restore/plan, change requests', () => {
  it('takes no page away that came to the space while it was read', async () => {
    const { world, space } = await requested();
    await using _world = world;
    let isEdited = false;
    const { state, notes } = await planned(world, async ({ path }, answer) => {
      if (path === `/v1/spaces/${space}/change-requests` && !isEdited) {
        isEdited = true;
        await edit(world, space, insert('Fresh', 'Came during the walk'));
      }
      return answer;
    });
    expect([isEdited, state, notes]).toEqual([true, 'complete', [STAYS]]);
  });

  it('takes no page away where the platform does not say which requests are outdated', async () => {
    const { world } = await requested({ newer: true });
    await using _world = world;
    const { state, notes } = await planned(world, ({ path }, { status, body }) =>
      path.includes('/change-requests') && isRecord(body) ? { status, body: withoutOutdated(body) } : undefined,
    );
    expect([state, notes]).toEqual(['complete', [STAYS]]);
  });
});

function withoutOutdated(body: object): unknown {
  const said = (name: string, value: unknown): unknown => (name === 'outdated' ? undefined : value);
  return JSON.parse(JSON.stringify(body, said));
}
