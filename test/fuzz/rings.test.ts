// Parents that go round, in a mirror that holds them all the same: nothing that reads it goes round with them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atOnce, silentLogger, Secret } from '../../src/base/index.ts';
import { exportSnapshot } from '../../src/export/index.ts';
import { createReplica } from '../../src/replica/index.ts';
import { planSummary } from '../../src/restore/index.ts';
import { noRuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { addCollection, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

let world: TestWorld;
let space: string;
let outer: string;

/** Two collections inside each other, as a platform may say; two pages inside each other, as no walk takes them in. */
beforeAll(async () => {
  world = await TestWorld.create();
  outer = await addCollection(world, 'Outer');
  const inner = await addCollection(world, 'Inner', outer);
  space = await addSpace(world, 'Space', inner);
  await edit(world, space, insert('A', 'text'), insert('B', 'text'), insert('C', 'text'));
  const { items } = await world.api.listCollections({ path: { organizationId: world.organization } });
  const ring = items.map((one) => (one.id === outer ? { ...one, parent: inner } : one));
  const headers = { 'content-type': 'application/json' };
  world.platform.faults = [{ operation: 'listCollections', effect: { status: 200, body: { items: ring }, headers } }];
  expect((await world.sync()).snapshot.state).toBe('complete');
  const { A = '', B = '' } = await pagesOf(world, space);
  const put = world.mirror.store.driver.prepare(
    `update versions set parent = (select rid from resources where kind = 'page' and id = ?)
     where rid = (select rid from resources where kind = 'page' and id = ?)`,
  );
  put.run(A, B);
  put.run(B, A);
});

afterAll(() => world[Symbol.asyncDispose]());

describe('fuzz/rings', () => {
  it('exports or says what is wrong', async () => {
    const to = `${world.folder()}/content`;
    const ended = await exportSnapshot({ mirror: world.mirror, snapshot: 1, to }).catch((error: unknown) => error);
    expect(ended instanceof Error ? ended : { pages: 3 }).toMatchObject({ pages: 3 });
  });

  it('plans a restore', async () => {
    await using target = await createTarget(world);
    for (const scope of [undefined, `collection:${outer}`]) {
      const plan = await target.plan(scope === undefined ? {} : { scope });
      const made = plan.steps.filter(({ part }) => part === 'create').map(({ kind, title }) => `${kind} ${title}`);
      expect(made).toEqual(expect.arrayContaining(['collection Outer', 'collection Inner', 'space Space']));
      expect(planSummary(plan)).toBeDefined();
    }
  });

  it('shows the pages of the browser', async () => {
    const options = { dataDir: world.dataDir, clock: world.clock, log: silentLogger(), live: () => noRuntimeState };
    const app = createStatusApp({ ...options, freshness: { snapshotMs: 1, drillMs: 1 } });
    const { A = '' } = await pagesOf(world, space);
    for (const path of ['/', '/report', '/browse', `/browse/spaces/${space}`, `/browse/spaces/${space}/pages/${A}`])
      expect([path, (await app.request(path)).status]).toEqual([path, 200]);
  });

  it('answers from the replica', () => {
    const { dataDir, clock, random } = world;
    const replica = createReplica({ dataDir, clock, random, log: silentLogger(), tokens: [Secret.of('tok')] });
    const header = (name: string) => (name === 'authorization' ? 'Bearer tok' : undefined);
    for (const target of [
      `/v1/orgs/${world.organization}/collections?nested=true`,
      `/v1/collections/${outer}/spaces`,
      `/v1/spaces/${space}/content`,
    ]) {
      const { status } = atOnce(replica.answer({ method: 'GET', target, header, base: 'http://replica' }));
      expect([target, status]).toEqual([target, 200]);
    }
  });
});
