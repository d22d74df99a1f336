// Titles that are longer than the API document allows, and signs that are none of its: a platform that was filled by other ways may hold such.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPlatformChecks } from '../../src/platform/index.ts';
import { addCollection, addRequest, addSpace, importFiles } from '../support/content.ts';
import { changing, rewriting } from '../support/rewriting.ts';
import { createTarget } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const MUCH = 'x'.repeat(300);

let world: TestWorld;

beforeEach(async () => {
  world = await TestWorld.create();
  const { api, organization: organizationId } = world;
  const collection = await addCollection(world, 'Long collection');
  const space = await addSpace(world, 'Long space', collection);
  await addSpace(world, 'Odd', collection);
  await importFiles(world, space, { 'README.md': '# First\n\nText.\n' });
  await addRequest(world, space, { subject: 'Long request' });
  const site = await api.createSite({ path: { organizationId }, body: { title: 'Long site', spaces: [space] } });
  await api.createSiteSectionGroup({ path: { organizationId, siteId: site.id }, body: { title: 'Long group' } });
  await api.createTeam({ path: { organizationId }, body: { title: 'Long team' } });
  await using proxy = await rewriting(world);
  const longer = ([field, value]: [string, unknown]): [string, unknown] =>
    typeof value === 'string' && value.startsWith('Long ') ? [field, `${value} ${MUCH}`] : [field, value];
  proxy.rewrite = changing((one) => ({
    ...Object.fromEntries(Object.entries(one).map(longer)),
    ...(one['title'] === 'Odd' ? { emoji: MUCH } : {}),
  }));
  expect((await world.sync({ client: proxy.client })).snapshot.state).toBe('complete');
});

afterEach(() => world[Symbol.asyncDispose]());

const CUT = [
  'change-request subject',
  'collection title',
  'site title',
  'site-section-group title',
  'site-space title',
  'space emoji',
  'space title',
  'team title',
];

it('restore/apply brings back what has a longer title than the API document allows, with as much of it as it allows, and says so: a collection was refused, and all that stood in it', async () => {
  await using target = await createTarget(world);
  const plan = await target.plan();
  const { restore, failures, lacking } = await target.apply(plan);
  expect([lacking, failures.length]).toEqual([7, 7]);
  const said = failures.map(({ error }) => error);
  expect(said).toContainEqual(
    expect.stringMatching(
      /^title was not taken, and is "Long space x+…" instead: .* must not have more than 50 characters/,
    ),
  );
  expect(said).toContainEqual(expect.stringMatching(/^emoji was not taken: /));
  const { differences, passed } = await target.verify(restore);
  expect(differences.map(({ kind, field, class: of }) => `${kind} ${field} ${of}`).sort()).toEqual(
    CUT.map((one) => `${one} bestEffort`),
  );
  expect(passed).toBe(true);
});

it.each(['lost', 'killed'] as const)(
  'restore/resume finds what has as much of its title: every write is %s',
  async (cut) => {
    await using target = await createTarget(world);
    const { restore } = await target.endure(await target.plan(), cut);
    const report = await target.verify(restore);
    expect(report.differences.map(({ kind, field }) => `${kind} ${field}`).sort()).toEqual(CUT);
    const path = { organizationId: target.organization, userId: target.platform.owner };
    expect((await target.client.api.listMemberSpaces({ path })).items).toHaveLength(2);
  },
);

it('restore/apply brings such a space back where the target makes none but by a copy or by a site', async () => {
  await using target = await createTarget(world);
  target.platform.faults = [{ operation: 'createSpace', effect: { status: 501 } }];
  const { restore, lacking } = await target.apply(await target.plan());
  expect(lacking).toBe(7);
  const { differences } = await target.verify(restore);
  expect(differences.map(({ kind, field }) => `${kind} ${field}`).sort()).toEqual(CUT);
});

it('restore/apply sends all of it to a target that takes it, as the platform of a drill does', async () => {
  await using target = await createTarget(world, { checks: createPlatformChecks({ takesUnknownValues: true }) });
  const { restore, failures } = await target.apply(await target.plan());
  expect([failures, (await target.verify(restore)).differences]).toEqual([[], []]);
});
