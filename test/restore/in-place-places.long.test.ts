// Where things stand: what was moved, what is nested in what was made anew, and what is moved once more meanwhile.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planOutline, type Plan } from '../../src/restore/index.ts';
import { addCollection, addSpace, edit, type Furnished } from '../support/content.ts';
import { mirroredAnew, type InPlace } from '../support/in-place.ts';
import { organize } from '../support/organization.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let made: Furnished;
let place: InPlace;
let other: string;

const anew = mirroredAnew(async (one) => {
  await organize(one);
  return { other: await addCollection(one, 'Other') };
});

beforeEach(async () => {
  ({ world, made, place, other } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

function moveCollection(collectionId: string, parent: string | null): Promise<unknown> {
  return world.api.moveCollection({ path: { collectionId }, body: { parent } });
}

function moveSpace(spaceId: string, parent: string | null): Promise<unknown> {
  return world.api.moveSpace({ path: { spaceId }, body: { parent } });
}

async function parentOf(spaceId: string): Promise<string | undefined> {
  return (await world.api.getSpace({ path: { spaceId } })).parent ?? undefined;
}

function steps(plan: Plan): string[] {
  return plan.steps.map(({ action, part, kind, title }) => `${action} ${part} ${kind} ${title}`);
}

async function mend(choice: Parameters<InPlace['plan']>[0] = {}): Promise<{ plan: Plan; restore: string }> {
  const plan = await place.plan(choice);
  const { failures, restore } = await place.apply(plan);
  expect(failures).toEqual([]);
  return { plan, restore };
}

describe('restore/in-place', () => {
  it('sets back what was moved and renamed at once', async () => {
    await moveCollection(made.nested, other);
    await world.api.updateCollection({ path: { collectionId: made.nested }, body: { title: 'Renamed' } });
    await moveSpace(made.guide, other);
    await world.api.updateSpace({ path: { spaceId: made.guide }, body: { title: 'Renamed' } });
    await mend();
    expect(steps(await place.plan())).toEqual([]);
  });

  it('leaves alone what stands in a collection that an earlier restore made anew', async () => {
    const home = await addCollection(world, 'Home');
    await moveSpace(made.guide, home);
    const snapshot = (await world.sync()).snapshot.id;
    await moveSpace(made.guide, null);
    await world.api.deleteCollection({ path: { collectionId: home } });
    await mend({ snapshot });
    const anew = await parentOf(made.guide);
    expect(steps(await place.plan({ snapshot }))).toEqual([]);
    await moveSpace(made.guide, other);
    await mend({ snapshot });
    expect(await parentOf(made.guide), 'and brings back into it what was moved out').toBe(anew);
  });

  it('brings a space back into the collection that hid it, inheriting again what it has inside', async () => {
    const home = await addCollection(world, 'Home');
    await world.api.updateCollection({ path: { collectionId: home }, body: { defaultLevel: null } });
    await moveSpace(made.guide, home);
    const snapshot = (await world.sync()).snapshot.id;
    await world.api.deleteCollection({ path: { collectionId: home } });
    await mend({ snapshot });
    expect(await world.api.getSpace({ path: { spaceId: made.guide } })).toMatchObject({ defaultLevel: 'inherit' });
    const anew = await world.api.getCollection({ path: { collectionId: (await parentOf(made.guide)) ?? '' } });
    expect(anew).toMatchObject({ title: 'Home', defaultLevel: null });
    expect(steps(await place.plan({ snapshot }))).toEqual([]);
  });

  it('undoes the move of collections that changed places', async () => {
    await moveCollection(made.nested, null);
    await moveCollection(made.collection, made.nested);
    const { plan, restore } = await mend();
    const { failures } = await place.apply(await place.undo(restore, plan));
    expect(failures).toEqual([]);
    const nested = await world.api.getCollection({ path: { collectionId: made.collection } });
    expect(nested.parent).toBe(made.nested);
  });

  it('says that a space cannot go back into a collection that is not brought back', async () => {
    const home = await addCollection(world, 'Home');
    await moveSpace(made.guide, home);
    const snapshot = (await world.sync()).snapshot.id;
    await moveSpace(made.guide, other);
    await world.api.deleteCollection({ path: { collectionId: home } });
    const plan = await place.plan({ snapshot, missing: false });
    expect(steps(plan)).toEqual(['unsupported none space Guide']);
    await place.apply(plan);
    expect(await parentOf(made.guide)).toBe(other);
  });

  it('says that it does not look into a space that an earlier restore made anew', async () => {
    await world.api.deleteSpace({ path: { spaceId: made.guide } });
    world.clock.advance(8 * 86_400_000);
    await mend();
    const plan = await place.plan();
    expect(steps(plan)).toEqual([expect.stringMatching(/^unsupported none space Guide as \w+$/u)]);
    expect(plan.steps[0]?.note).toContain('not looked at');
    expect(steps(await place.plan({ scope: `space:${made.news}` }))).toEqual([]);
  });

  it('says in one line which spaces an earlier restore made anew: each was a line, as each has an id of its own', async () => {
    for (const spaceId of [made.guide, made.news]) await world.api.deleteSpace({ path: { spaceId } });
    world.clock.advance(8 * 86_400_000);
    await mend();
    const said = planOutline(await place.plan()).filter((line) => line.includes('not looked at'));
    expect(said).toEqual([expect.stringMatching(/^! 2 spaces: .*\((Guide|News) as \w+, (Guide|News) as \w+\)$/u)]);
  });

  it('is refused when a space that is to move was moved elsewhere since the plan', async () => {
    await moveSpace(made.guide, null);
    const plan = await place.plan();
    await moveSpace(made.guide, other);
    place.clear();
    await expect(place.apply(plan)).rejects.toMatchObject({ code: 'DM_PLAN_STALE', message: /Guide/ });
    expect(place.writes()).toEqual({});
  });

  it('brings the order of collections back, and what moved to the place where it stood', async () => {
    const path = { organizationId: world.organization };
    const titles = async (): Promise<string[]> =>
      (await world.api.listCollections({ path })).items.map(({ title }) => title);
    const spaces = async (): Promise<string[]> =>
      (await world.api.listCollectionSpaces({ path: { collectionId: other } })).items.map(({ title }) => title);
    const ids: string[] = [];
    for (const title of ['One', 'Two', 'Three'])
      ids.push((await world.api.createSpace({ path, body: { title, parent: other } })).id);
    await world.sync();
    const snapshot = 2;
    const [before, inside] = [await titles(), await spaces()];
    const first = { type: 'collection' as const, collection: made.collection };
    await world.api.moveCollection({ path: { collectionId: other }, body: { position: { before: first } } });
    await moveSpace(ids[1] ?? '', null);
    expect([await titles(), await spaces()]).not.toEqual([before, inside]);
    const { plan } = await mend({ snapshot });
    expect(plan.steps.map(({ part, title }) => `${part} ${title}`)).toEqual(['place Two', 'order Manuals']);
    expect([await titles(), await spaces()]).toEqual([before, inside]);
    expect(steps(await place.plan({ snapshot }))).toEqual([]);
  });

  it('puts what stood first back to the front when the last of them was moved before it', async () => {
    const ids: string[] = [];
    for (const title of ['One', 'Two', 'Three', 'Four']) ids.push(await addSpace(world, title, other));
    const { snapshot } = await world.sync();
    const [first = '', second = '', , last = ''] = ids;
    const inside = async (): Promise<string[]> => {
      const { items } = await world.api.listCollectionSpaces({ path: { collectionId: other } });
      return items.map(({ id }) => id);
    };
    await moveSpace(first, null);
    const position = { before: { type: 'space' as const, space: second } };
    await world.api.moveSpace({ path: { spaceId: last }, body: { position } });
    await mend({ snapshot: snapshot.id });
    expect(await inside()).toEqual(ids);
  });

  it('says of a collection that is to go and holds what stays that it stays, too', async () => {
    const inner = await addCollection(world, 'Added', await addCollection(world, 'Added above'));
    await moveSpace(made.news, inner);
    await world.api.createComment({ path: { spaceId: made.news }, body: { body: { markdown: 'Added, too' } } });
    const plan = await place.plan({ changed: false, added: true });
    expect(plan.steps.map(({ action, title, note }) => [action, title, note])).toEqual([
      ['delete', 'Added, too', 'not in the snapshot'],
      ['unsupported', 'Added', `holds space News (${made.news}), which stays and would be deleted with it`],
      ['unsupported', 'Added above', `holds collection Added (${inner}), which stays and would be deleted with it`],
    ]);
    expect(steps((await mend({ added: true })).plan)).toContain('delete remove collection Added above');
  });

  it('leaves a page that somebody made by hand in the place of a missing one, unless changes are set back', async () => {
    const linux = made.pages['Linux'] ?? '';
    await edit(world, made.guide, { type: 'delete_page', page: linux });
    await edit(world, made.guide, {
      type: 'insert_page',
      title: 'Linux',
      slug: 'linux',
      into: made.pages['Install'] ?? '',
      document: { markdown: '# Linux\n\nBy hand.' },
    });
    const kept = await place.plan({ missing: true, changed: false });
    expect(kept.steps.map(({ action, title, note }) => [action, title, note])).toEqual([
      ['unsupported', 'Linux', expect.stringContaining('another page is in its place') as string],
    ]);
    const { plan } = await mend();
    expect(plan.steps[0]?.pages?.changed.map(({ title }) => title)).toEqual(['Linux']);
  });
});
