// Change requests that take pages away or move them propose the same after a restore.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, insert, pagesOf } from '../support/content.ts';
import { bare, type Bare } from '../support/in-place.ts';
import { createTarget, type Target } from '../support/restore.ts';

let world: Bare['world'];

beforeAll(async () => {
  ({ world } = await bare(async (world) => {
    const space = await addSpace(world, 'Manual');
    await edit(world, space, insert('Home', 'One'), insert('Kept', 'Two'), insert('Old', 'Three'));
    const old = (await pagesOf(world, space))['Old'] ?? '';
    await edit(world, space, insert('Older', 'Below the old one', { into: old }));
    const { Home = '', Kept = '' } = await pagesOf(world, space);
    await addRequest(world, space, {
      subject: 'Behind',
      changes: [{ type: 'delete_page', page: Kept }, insert('Said', 'Six')],
    });
    await edit(world, space, insert('Newer than the first', 'Four'));
    await addRequest(world, space, { subject: 'Without', changes: [{ type: 'delete_page', page: old }] });
    await addRequest(world, space, {
      subject: 'Moved',
      changes: [{ type: 'update_page', page: Kept, into: Home }, insert('Added', 'Five')],
    });
  }));
});

afterAll(() => world[Symbol.asyncDispose]());

async function manualOf({ client, organization, platform }: Target): Promise<string> {
  const mine = { organizationId: organization, userId: platform.owner };
  const { items } = await client.api.listMemberSpaces({ path: mine });
  return items.find(({ space }) => space.title === 'Manual')?.space.id ?? '';
}

/** Paths of the pages of each request. */
async function proposed(target: Target): Promise<Record<string, string[]>> {
  const { client } = target;
  const spaceId = await manualOf(target);
  const requests = (await client.api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } })).items;
  const found: Record<string, string[]> = {};
  for (const { id, subject } of requests) {
    const { pages } = await client.api.getChangeRequestRevision({ path: { spaceId, changeRequestId: id } });
    found[subject] = flatten(pages)
      .map(({ path }) => path ?? '')
      .toSorted();
  }
  return found;
}

describe('restore/apply, change requests', () => {
  it('take away and move the same pages, and nothing that is newer than they are', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    // Nobody can tell what a request of an older revision takes away from what came to the space since.
    const notes = plan.steps.filter(({ kind }) => kind === 'change-request-revision').map(({ note }) => note);
    expect(notes).toContain('1 changed page by import, 2 pages of the space that it lacks or moves stay in it');
    const { restore, failures } = await target.apply(plan);
    expect(failures).toEqual([]);
    expect(await proposed(target)).toEqual({
      Behind: ['home', 'kept', 'newer-than-the-first', 'old', 'old/older', 'said'],
      Without: ['home', 'kept', 'newer-than-the-first'],
      Moved: ['added', 'home', 'home/kept', 'newer-than-the-first', 'old', 'old/older'],
    });
    const { passed, differences } = await target.verify(restore);
    expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
  });

  it('name a page that they do not take away, since somebody has put another one below it meanwhile', async () => {
    await using target = await createTarget(world);
    target.platform.faults = [{ operation: 'createChangeRequest', effect: { status: 403 } }];
    const { restore } = await target.apply(await target.plan());
    target.platform.faults = [];
    const space = await manualOf(target);
    const into = (await pagesOf(target.client, space))['Old'] ?? '';
    await edit(target.client, space, insert('Meanwhile', 'Below the old one', { into }));
    const { failures } = await target.resume(restore);
    expect(failures.map(({ error }) => error)).toEqual([expect.stringMatching(/^page Old stays: /)]);
  });

  it('differ when the target cannot take pages away from them, and that is said', async () => {
    await using target = await createTarget(world);
    target.platform.faults = [{ operation: 'changeContent', effect: { status: 404 } }];
    const { restore, failures } = await target.apply(await target.plan());
    expect(failures.map(({ error }) => error)).toContainEqual(expect.stringContaining('no operation that edits pages'));
    target.platform.faults = [];
    const { passed, differences } = await target.verify(restore);
    expect(passed).toBe(false);
    expect(differences).toContainEqual(expect.objectContaining({ kind: 'change-request-page', got: 'still there' }));
  });
});
