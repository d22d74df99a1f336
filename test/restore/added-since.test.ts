// What vandals, or colleagues, added since the snapshot stays in a mend in place unless the plan is to take it away.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it('restore/in-place: a plan without --delete says how much was added since, and stays; it was silent about it', async () => {
  await using world = await TestWorld.create();
  const place = inPlace(world);
  const space = await addSpace(world, 'Guide');
  await edit(world, space, insert('Kept', 'Text'));
  await world.sync();
  world.clock.advance(60_000);
  const { Kept: page = '' } = await pagesOf(world, space);
  await edit(world, space, insert('Spam', 'Buy'), insert('More spam', 'Buy'), { type: 'delete_page', page });
  await importFiles(world, await addSpace(world, 'Casino'), { 'README.md': '# Play\n' });
  const said = ({ preflight }: Awaited<ReturnType<typeof place.plan>>) =>
    preflight.filter(({ check }) => check === 'added since');
  expect(said(await place.plan({ missing: true, changed: true, added: false }))).toEqual([
    {
      check: 'added since',
      state: 'ok',
      detail: '1 space, 2 pages that the snapshot does not have: left; with `--delete` the plan takes them away',
    },
  ]);
  const plan = await place.plan({ missing: true, changed: true, added: true });
  expect(said(plan)).toEqual([]);
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect(said(await place.plan({ missing: true, changed: true, added: false }))).toEqual([]);
  expect(said(await place.undo(restore, plan))).toEqual([]);
});

it('restore/in-place: a plan without --delete names a schema of claims that a site was given since, and who is let in: it said nothing of either', async () => {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  const space = await addSpace(world, 'Guide');
  const { id: siteId } = await world.api.createSite({ path, body: { title: 'Docs', spaces: [space] } });
  await world.sync();
  await world.api.putSiteAdaptiveSchema({
    path: { ...path, siteId },
    body: { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } },
  });
  await world.api.createShareLink({ path: { ...path, siteId }, body: { name: 'For Kim' } });
  const { preflight } = await inPlace(world).plan();
  expect(preflight.flatMap(({ check, detail }) => (check === 'added since' ? [detail] : []))).toEqual([
    '1 share link that the snapshot does not have: left; with `--delete` the plan takes them away',
    '1 site adaptive schema that the snapshot does not have: left; no operation takes one away, so `--delete` leaves it, too',
  ]);
});

describe('a value given to a space since, of a field that the snapshot does not have', () => {
  let world: TestWorld;
  let space: string;

  beforeEach(async () => {
    world = await TestWorld.create();
    space = await addSpace(world, 'Guide');
    await world.sync();
    const path = { organizationId: world.organization };
    for (const name of ['owner', 'unset']) await world.api.createCustomField({ path, body: { name, type: 'text' } });
    await world.api.updateCustomFieldValues({
      path: { spaceId: space },
      body: { values: { owner: { value: 'Kim' } } },
    });
  });

  afterEach(() => world[Symbol.asyncDispose]());

  const goes = () => `by \`--scope organization:${world.organization} --delete\``;

  it('is named where the plan of its space alone would take away what is not in the snapshot: it was passed over', async () => {
    const { steps } = await inPlace(world).plan({ scope: `space:${space}`, added: true });
    expect(steps).toEqual([
      expect.objectContaining({
        action: 'unsupported',
        title: 'Guide',
        note: `owner: the snapshot does not have that field. A value goes only with its field, ${goes()}`,
      }),
    ]);
  });

  it('is counted where the plan takes nothing away', async () => {
    const { preflight, steps } = await inPlace(world).plan({ scope: `space:${space}` });
    expect(steps).toEqual([]);
    expect(preflight).toContainEqual({
      check: 'values added since',
      state: 'ok',
      detail: `1 value of owner: left; the snapshot does not have that field, and only with it goes its value, ${goes()}`,
    });
  });

  it('goes with its field where that is asked for, too', async () => {
    const place = inPlace(world);
    expect((await place.plan()).preflight.map(({ check }) => check)).not.toContain('values added since');
    const plan = await place.plan({ added: true });
    expect(plan.steps.map(({ action, key }) => `${action} ${key}`).toSorted()).toEqual([
      `delete ${world.organization}/owner`,
      `delete ${world.organization}/unset`,
    ]);
    expect((await place.apply(plan)).failures).toEqual([]);
    expect(await world.api.getCustomFieldValues({ path: { spaceId: space } })).toEqual([]);
  });
});

it('restore/in-place: a value given since of a field that the snapshot has, on a platform that lists none without one, is named as what no operation takes away: its plan said that the field was not there, and sent to a plan that changes nothing', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  const path = { organizationId: world.organization };
  for (const name of ['owner', 'stage']) await world.api.createCustomField({ path, body: { name, type: 'text' } });
  await using proxy = await rewriting(world);
  proxy.rewrite = ({ path: asked }, { status, body }) =>
    asked.endsWith(`/spaces/${space}/custom-fields`) && Array.isArray(body)
      ? { status, body: body.filter((one: object) => 'value' in one) }
      : undefined;
  await world.sync({ client: proxy.client });
  await world.api.createCustomField({ path, body: { name: 'newer', type: 'text' } });
  const values = { owner: { value: 'Kim' }, newer: { value: 'Kim' } };
  await world.api.updateCustomFieldValues({ path: { spaceId: space }, body: { values } });
  const place = inPlace(world, proxy.client);
  const scope = `space:${space}`;
  const { preflight } = await place.plan({ scope });
  const goes = `by \`--scope organization:${world.organization} --delete\``;
  expect(preflight.flatMap(({ check, detail }) => (check === 'values added since' ? [detail] : [])).toSorted()).toEqual(
    [
      `1 value of newer: left; the snapshot does not have that field, and only with it goes its value, ${goes}`,
      '1 value of owner: left; there was none then, and no operation takes one away again',
    ],
  );
  const { steps } = await place.plan({ scope, added: true });
  expect(steps.map(({ note }) => note).toSorted()).toEqual([
    `newer: the snapshot does not have that field. A value goes only with its field, ${goes}`,
    'owner had no value then, and no operation takes one away again',
  ]);
});
