// Pages that are computed from an OpenAPI specification, which gets another version while the space that shows it stands still.
import { expect, it } from 'vitest';
import { askedBy } from '../../src/app/restoring/live-platform.ts';
import { seededRandom } from '../../src/base/index.ts';
import { readerAt, spotCheck } from '../../src/mirror/index.ts';
import { addRequest, addSpace, importFiles, insert } from '../support/content.ts';
import { rewriting, unreachableSpace } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

function textOf(name: string): string {
  const paths = { '/carts': { get: { tags: ['carts'], responses: { 200: { description: `All ${name}` } } } } };
  return JSON.stringify({ openapi: '3.0.0', info: { title: name, version: '1' }, paths });
}

/** A mirrored space that shows a specification, with an open change request; beside it one that does not. */
async function mirrored(): Promise<TestWorld> {
  const world = await TestWorld.create();
  await give(world, 'Shop');
  for (const title of ['Guide', 'Other']) {
    const space = await addSpace(world, title);
    await importFiles(world, space, { 'README.md': '# Home\n\nText.\n' });
    if (title === 'Guide') world.platform.addComputedPage({ space, spec: 'shop', title: 'Reference' });
    await addRequest(world, space, { subject: `Proposal for ${title}`, changes: [insert('New', 'Text.')] });
  }
  await world.sync();
  return world;
}

async function give(world: TestWorld, name: string): Promise<void> {
  const path = { organizationId: world.organization, specSlug: 'shop' };
  await world.api.putOpenApiSpec({ path, body: { source: { text: textOf(name) } } });
  await world.platform.settle();
}

it('walker: pages computed from a specification are read in the night in which it has another version: they kept their old text for a week', async () => {
  await using world = await mirrored();
  await give(world, 'Store');
  const { snapshot, kinds } = await world.sync();
  const reader = readerAt(world.mirror, snapshot.id);
  for (const kind of ['page', 'change-request-page'] as const) expect(kinds[kind]?.seen).toBe(reader.count(kind));
  const old = `select title from pages where markdown like '%Shop%' union all select title from change_request_pages where markdown like '%Shop%'`;
  expect([snapshot.state, rowsOf(world.mirror, old)]).toEqual(['complete', []]);
  using fresh = await world.newMirror();
  const first = await world.sync({ mirror: fresh });
  expect(stateOf(world.mirror, snapshot.id)).toEqual(stateOf(fresh, first.snapshot.id));
  world.platform.requestLog.clear();
  await world.sync();
  expect(Object.keys(world.platform.requestLog.counts()).filter((name) => /Revision|Page/.test(name))).toEqual([]);
});

it('walker: pages computed from a specification that could not be read in that night are read in the next', async () => {
  await using world = await mirrored();
  await give(world, 'Store');
  world.platform.faults = [{ operation: 'getPage', effect: { status: 500 } }];
  expect((await world.sync()).snapshot.state).toBe('partial');
  world.platform.faults = [];
  const { snapshot } = await world.sync();
  const old = rowsOf(world.mirror, `select title from pages where markdown like '%Shop%'`);
  expect([snapshot.state, old]).toEqual(['complete', []]);
});

it('walker: a revision that could not be read is asked for once in the night in which a specification of it has another version: its pages were counted below none, and its failure twice', async () => {
  await using world = await mirrored();
  const [guide] = rowsOf(world.mirror, `select id from spaces where title = 'Guide'`);
  await importFiles(world, String(guide?.['id']), { 'NEWS.md': '# News\n\nText.\n' });
  await give(world, 'Store');
  world.platform.faults = [{ operation: 'getRevision', effect: { status: 500 } }];
  const { kinds } = await world.sync();
  world.platform.faults = [];
  expect(kinds.revision?.failed).toBe(1);
  expect(kinds.page?.seen ?? 0).toBeGreaterThanOrEqual(0);
  const { snapshot } = await world.sync();
  const old = rowsOf(world.mirror, `select title from pages where markdown like '%Shop%'`);
  expect([snapshot.state, old]).toEqual(['complete', []]);
});

it('walker: counts nothing below none where change requests could not be listed in the night in which a specification has another version', async () => {
  await using world = await mirrored();
  const [guide] = rowsOf(world.mirror, `select id from spaces where title = 'Guide'`);
  await addRequest(world, String(guide?.['id']), { subject: 'Another', changes: [insert('More', 'Text.')] });
  await give(world, 'Store');
  world.platform.faults = [
    { operation: 'listChangeRequests', effect: { status: 500 } },
    { operation: 'getChangeRequestRevision', effect: { status: 500 } },
  ];
  const { snapshot, kinds } = await world.sync();
  world.platform.faults = [];
  const below = Object.entries(kinds).filter(([, { seen, unchanged }]) => seen < 0 || unchanged < 0);
  expect([snapshot.state, below]).toEqual(['partial', []]);
  expect((await world.sync()).snapshot.state).toBe('complete');
});

it.each(['incremental', 'full'] as const)(
  'walker: pages computed from a specification, in a space that a walk (%s) could not reach in the night in which that has another version, are read in the next: they kept their old text for a week, in complete snapshots',
  async (mode) => {
    await using world = await mirrored();
    const [guide] = rowsOf(world.mirror, `select id from spaces where title = 'Guide'`);
    const id = String(guide?.['id']);
    await using proxy = await rewriting(world);
    const { client } = proxy;
    await give(world, 'Store');
    proxy.rewrite = unreachableSpace(id);
    expect((await world.sync({ client, mode })).snapshot.state).toBe('partial');
    proxy.rewrite = () => undefined;
    const { snapshot } = await world.sync({ client });
    const old = `select title from pages where markdown like '%Shop%' union all select title from change_request_pages where markdown like '%Shop%'`;
    expect([snapshot.state, rowsOf(world.mirror, old)]).toEqual(['complete', []]);
  },
);

it('check --live: pages computed from a specification that has another version, or none any more, are said to have moved: they were told as differing for no reason', async () => {
  await using world = await mirrored();
  const { mirror, client } = world;
  const look = (): ReturnType<typeof spotCheck> => {
    const live = askedBy(client, { pageSize: 100, signal: new AbortController().signal });
    return spotCheck(mirror, { count: 5000, random: seededRandom(1), live });
  };
  expect((await look()).moved).toBe(0);
  await give(world, 'Store');
  const { problems, moved } = await look();
  expect([problems, moved > 0]).toEqual([[], true]);
  await world.api.deleteOpenApiSpec({ path: { organizationId: world.organization, specSlug: 'shop' } });
  expect((await look()).problems).toEqual([]);
});

it('check --live: a page computed from a specification that stands still is named where the mirror has another text of it', async () => {
  await using world = await mirrored();
  const { mirror, client } = world;
  mirror.store.driver.exec(`update bodies set data = replace(data, 'Shop', 'Ship') where data like '# %Shop%'`);
  const live = askedBy(client, { pageSize: 100, signal: new AbortController().signal });
  const { problems } = await spotCheck(mirror, { count: 5000, random: seededRandom(1), live });
  expect(problems).toContainEqual(
    expect.objectContaining({ kind: 'page', problem: expect.stringContaining('differs in markdown') as string }),
  );
});
