// What somebody transferred to another organization: a mend in place brings it back with everything in it, and can be taken back.
import { expect, it } from 'vitest';
import { type Plan } from '../../src/restore/index.ts';
import { planTree } from '../support/plan-tree.ts';
import { addCollection, addSpace } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

interface Transferred extends Mirrored {
  readonly other: string;
  /** The organization from which something was taken. */
  readonly own: string;
}

/** Two organizations; the first has what a restore brings back, a value of a field and a site that shows both spaces. */
const anew = mirroredAnew(async (world) => {
  const other = world.platform.createOrganization({ title: 'Other' });
  const path = { organizationId: world.organization };
  await addCollection(world, 'Last');
  await world.api.createCustomField({ path, body: { name: 'stage', type: 'text' } });
  const { items } = await world.api.listMemberSpaces({ path: { ...path, userId: world.platform.owner } });
  const spaces = items.map(({ space }) => space.id);
  for (const spaceId of spaces)
    await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values: { stage: { value: 'done' } } } });
  await world.api.createSite({ path, body: { title: 'Docs', spaces } });
  return { other, own: world.organization };
});

async function twoMirrored(): Promise<Transferred> {
  const all = await anew();
  all.world.clock.advance(60_000);
  return all;
}

async function mended({ place }: Mirrored, plan: Plan): Promise<string> {
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, unread: [] });
  return restore;
}

/** What is not as it was; who sees a space, and the ids of what a site shows, are beyond a restore. */
async function missed({ place }: Mirrored): Promise<string[]> {
  return (await place.differences(1)).filter((line) => !/site|space-member|changed space Guide/.test(line));
}

it('restore/in-place brings a space back that somebody transferred to another organization: the plan moved it into a collection that was not there', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  const path = { spaceId: made.guide };
  await world.api.transferSpace({ path, body: { organization: other } });
  const choice = { scope: `organization:${own}`, added: true };
  const plan = await place.plan(choice);
  expect(planTree(plan)[0]).toBe('~ space Guide  (back from organization Other)');
  const restore = await mended(all, plan);
  expect(await world.api.getSpace({ path })).toMatchObject({ organization: own, parent: made.nested });
  expect((await place.plan(choice)).steps).toEqual([]);
  expect(await missed(all)).toEqual([]);
  await mended(all, await place.undo(restore, plan));
  const { organization, parent } = await world.api.getSpace({ path });
  expect([organization, parent]).toEqual([other, undefined]);
});

it('restore/undo takes the collection away that it made for a space which goes back to another organization: it stayed, as if that space stayed in it', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  const collections = async () => (await world.api.listCollections({ path: { organizationId: own } })).items;
  await world.api.transferSpace({ path: { spaceId: made.guide }, body: { organization: other } });
  await world.api.deleteCollection({ path: { collectionId: made.nested } });
  const stood = await collections();
  const plan = await place.plan({ scope: `organization:${own}` });
  const restore = await mended(all, plan);
  expect((await collections()).length).toBe(stood.length + 1);
  await mended(all, await place.undo(restore, plan));
  expect((await collections()).map(({ id }) => id)).toEqual(stood.map(({ id }) => id));
  expect((await world.api.getSpace({ path: { spaceId: made.guide } })).organization).toBe(other);
});

it('restore/undo leaves a space in its organization that somebody has given a value there since: it was transferred away from that', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  const path = { spaceId: made.guide };
  await world.api.transferSpace({ path, body: { organization: other } });
  const plan = await place.plan({ scope: `organization:${own}` });
  const { restore } = await place.apply(plan);
  await world.api.updateCustomFieldValues({ path, body: { values: { stage: { value: 'By somebody' } } } });
  const undo = await place.undo(restore, plan);
  expect(planTree(undo)).toContain(
    '! space Guide  (space Guide: custom-field-value "stage", which somebody has set since, would go with it: it is left as it is)',
  );
  expect((await place.apply(undo)).failures).toEqual([]);
  expect((await world.api.getSpace({ path })).organization).toBe(own);
  const back = await place.undo(restore, plan, { evenChanged: true });
  expect(planTree(back)[0]).toMatch(/^~ space Guide/);
});

it('restore/undo puts a space that a restore gave to another organization back into its collection and onto its sites: it came back outside of both', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  const path = { spaceId: made.guide };
  const { items } = await world.api.listSites({ path: { organizationId: own } });
  const site = { organizationId: own, siteId: items[0]?.id ?? '' };
  const shown = async () =>
    (await world.api.listSiteSpaces({ path: site })).items.map((one) => [one.title, one.path, one.default]);
  await world.api.transferSpace({ path, body: { organization: other } });
  // That it has no value there is believed the second time.
  await world.sync();
  const { snapshot } = await world.sync();
  await world.api.transferSpace({ path, body: { organization: own } });
  await world.api.moveSpace({ path, body: { parent: made.nested } });
  const { id } = await world.api.createSiteSpace({ path: site, body: { spaceId: made.guide } });
  await world.api.updateSiteSpace({ path: { ...site, siteSpaceId: id }, body: { path: 'as-chosen' } });
  await world.api.updateSite({ path: site, body: { defaultSiteSpace: id } });
  const before = await shown();
  const plan = await place.plan({ snapshot: snapshot.id, scope: `organization:${own}` });
  const { restore, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect((await world.api.getSpace({ path })).organization).toBe(other);
  expect(await shown()).not.toEqual(before);
  await mended(all, await place.undo(restore, plan));
  expect(await world.api.getSpace({ path })).toMatchObject({ organization: own, parent: made.nested });
  expect(await shown()).toEqual(before);
});

it('restore/in-place brings a collection back that somebody transferred, with all that is in it and its place: the plan was empty', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  const path = { collectionId: made.collection };
  await world.api.transferCollection({ path, body: { organization: other } });
  await world.api.moveSpace({ path: { spaceId: made.guide }, body: { parent: made.collection } });
  const plan = await place.plan({ scope: `organization:${own}`, added: true });
  const restore = await mended(all, plan);
  expect(await world.api.getSpace({ path: { spaceId: made.guide } })).toMatchObject({
    organization: own,
    parent: made.nested,
  });
  expect(await missed(all)).toEqual([]);
  await mended(all, await place.undo(restore, plan));
  expect((await world.api.getCollection({ path })).organization).toBe(other);
  expect((await world.api.getSpace({ path: { spaceId: made.guide } })).parent).toBe(made.collection);
});

it('restore/undo gives a collection to the other organization again once what the restore had moved into it is out of it: it stayed, since that would have come along', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  const [path, inside] = [{ collectionId: made.collection }, { spaceId: made.guide }];
  await world.api.moveSpace({ path: inside, body: { parent: null } });
  await world.api.transferCollection({ path, body: { organization: other } });
  const plan = await place.plan({ scope: `organization:${own}`, added: true });
  const restore = await mended(all, plan);
  expect((await world.api.getSpace({ path: inside })).parent).toBe(made.nested);
  const back = await place.undo(restore, plan);
  expect(planTree(back).filter((line) => line.startsWith('!'))).toEqual([]);
  await mended(all, back);
  expect((await world.api.getCollection({ path })).organization).toBe(other);
  const { organization, parent } = await world.api.getSpace({ path: inside });
  expect([organization, parent]).toEqual([own, undefined]);
});

it('restore/undo says of a site of the other organization that it shows the space no more: nothing said so', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  await world.api.transferSpace({ path: { spaceId: made.news }, body: { organization: other } });
  await world.api.createSite({
    path: { organizationId: other },
    body: { title: 'Theirs', spaces: [made.news] },
  });
  const plan = await place.plan({ scope: `organization:${own}` });
  expect(planTree(plan)[0]).toBe('~ space News  (back from organization Other; its sites show that no more then)');
  const restore = await mended(all, plan);
  const back = await place.undo(restore, plan);
  expect(planTree(back)).toContainEqual(expect.stringContaining(`--scope organization:${other} brings it back`));
  await mended(all, back);
  await mended(all, await place.plan({ snapshot: plan.live?.snapshot ?? 0, scope: `organization:${other}` }));
  const { items } = await world.api.listSites({ path: { organizationId: other } });
  expect(items.map(({ siteSpaces }) => siteSpaces)).toEqual([1]);
});

it('restore/in-place leaves a transferred collection that holds something of the other organization by now, and says what', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  const theirs = await addSpace({ api: world.api, organization: other }, 'Theirs');
  const { snapshot } = await world.sync();
  await world.api.transferCollection({ path: { collectionId: made.collection }, body: { organization: other } });
  await world.api.moveSpace({ path: { spaceId: theirs }, body: { parent: made.nested } });
  const plan = await place.plan({ snapshot: snapshot.id, scope: `organization:${own}` });
  expect(planTree(plan)).toContainEqual(expect.stringContaining(`holds space Theirs (${theirs})`));
  const { failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  expect((await world.api.getSpace({ path: { spaceId: theirs } })).organization).toBe(other);
});

it('restore/in-place names the collection with which a space was transferred, where only the space is asked for', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other } = all;
  await world.api.transferCollection({ path: { collectionId: made.nested }, body: { organization: other } });
  const plan = await place.plan({ scope: `space:${made.guide}` });
  expect(planTree(plan).join('\n')).toContain(`--scope collection:${made.nested}`);
  await mended(all, await place.plan({ scope: `collection:${made.nested}` }));
  expect((await world.api.getCollection({ path: { collectionId: made.nested } })).parent).toBe(made.collection);
});

it('restore/in-place sets the values of a transferred space that it has of fields of the other organization, too: one was said to be changed by others, and one of the same text was lost', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  const path = { spaceId: made.guide };
  const valuesOf = async (): Promise<Record<string, unknown>> => {
    const all = await world.api.getCustomFieldValues({ path });
    return Object.fromEntries(all.map(({ customField, value }) => [customField.name, value]));
  };
  const ownPath = { organizationId: own };
  await world.api.createCustomField({ path: ownPath, body: { name: 'owner', type: 'text' } });
  await world.api.updateCustomFieldValues({ path, body: { values: { owner: { value: 'Kim' } } } });
  const { snapshot } = await world.sync();
  await world.api.transferSpace({ path, body: { organization: other } });
  for (const name of ['stage', 'owner', 'more'])
    await world.api.createCustomField({ path: { organizationId: other }, body: { name, type: 'text' } });
  const theirs = { stage: { value: 'done' }, owner: { value: 'Lou' }, more: { value: 'yes' } };
  await world.api.updateCustomFieldValues({ path, body: { values: theirs } });
  const [before, choice] = [await valuesOf(), { snapshot: snapshot.id, scope: `organization:${own}` }];
  const plan = await place.plan(choice);
  const restore = await mended(all, plan);
  expect(await valuesOf()).toEqual({ stage: 'done', owner: 'Kim' });
  expect((await place.plan(choice)).steps).toEqual([]);
  await mended(all, await place.undo(restore, plan));
  expect(await valuesOf()).toEqual(before);
});

it('restore/verify passes where a space is back from another organization, and the collection that held it stays there, as the plan says: it failed for the place', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  await world.api.transferCollection({ path: { collectionId: made.nested }, body: { organization: other } });
  await world.api.moveSpace({ path: { spaceId: made.guide }, body: { parent: null } });
  const plan = await place.plan({ scope: `space:${made.guide}` });
  expect(planTree(plan)).toContainEqual(expect.stringContaining('Guides, stands in another organization by now'));
  const { restore } = await place.apply(plan);
  const { passed, differences } = await place.verify(restore);
  expect([passed, differences.map(({ field }) => field)]).toEqual([true, ['parent']]);
  expect((await world.api.getSpace({ path: { spaceId: made.guide } })).organization).toBe(own);
});

it('restore/in-place brings a space back that was deleted in the organization to which somebody had transferred it: it came out of the bin there, and stayed there whatever was tried', async () => {
  const all = await twoMirrored();
  await using world = all.world;
  const { place, made, other, own } = all;
  const path = { spaceId: made.guide };
  await world.api.transferSpace({ path, body: { organization: other } });
  await world.sync();
  await world.api.deleteSpace({ path });
  const plan = await place.plan({ scope: `organization:${own}` });
  expect(planTree(plan)[0]).toMatch(/^\+ space Guide {2}\(undelete from organization Other: /);
  const restore = await mended(all, plan);
  expect(await world.api.getSpace({ path })).toMatchObject({ organization: own, parent: made.nested });
  const back = await place.undo(restore, plan);
  await mended(all, back);
  expect(await world.api.getSpace({ path })).toMatchObject({ organization: own, deletedAt: expect.any(String) });
  expect(planTree(back)).toContainEqual(expect.stringContaining('its own organization, not into that of Other'));
});
