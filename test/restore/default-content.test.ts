// In place: the site that an organization shows first.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { worldAnew } from '../support/copied-world.ts';
import { changing, rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let place: InPlace;
let docs: string;
let other: string;

const anew = worldAnew(async (one) => {
  await addSpace(one, 'Shown');
  const path = { organizationId: one.organization };
  const { id: site } = await one.api.createSite({ path, body: { title: 'Docs', spaces: 'empty' } });
  const { id: second } = await one.api.createSite({ path, body: { title: 'Other', spaces: 'empty' } });
  await one.api.updateOrganization({ path, body: { defaultContent: { type: 'site', site } } });
  await one.sync();
  return { docs: site, other: second };
});

beforeEach(async () => {
  ({ world, docs, other } = await anew());
  place = inPlace(world);
});

afterEach(() => world[Symbol.asyncDispose]());

async function show(site: string | null): Promise<void> {
  const path = { organizationId: world.organization };
  const defaultContent = site === null ? null : { type: 'site' as const, site };
  await world.api.updateOrganization({ path, body: { defaultContent } });
}

async function shown(): Promise<string | undefined> {
  const { defaultContent } = await world.api.getOrganization({ path: { organizationId: world.organization } });
  return defaultContent?.site;
}

describe('restore/in-place of the site that is shown first', () => {
  it.each(['another', 'none'])('is set back where it is %s, and taken back by an undo', async (which) => {
    const now = which === 'another' ? other : null;
    await show(now);
    const plan = await place.plan();
    expect(plan.steps.map(({ part, note }) => [part, note])).toEqual([['defaults', 'site Docs is shown first']]);
    const { restore, failures } = await place.apply(plan);
    expect([failures, await shown()]).toEqual([[], docs]);
    expect((await place.verify(restore)).passed).toBe(true);
    await place.apply(await place.undo(restore, plan));
    expect(await shown()).toBe(now ?? undefined);
  });

  it('is shown first again when it was deleted, under its new id', async () => {
    await world.api.deleteSite({ path: { organizationId: world.organization, siteId: docs } });
    const plan = await place.plan({ changed: false });
    const { restore, failures } = await place.apply(plan);
    const { items } = await world.api.listSites({ path: { organizationId: world.organization } });
    const anew = items.find(({ title }) => title === 'Docs')?.id;
    expect(failures).toEqual([]);
    expect(anew).toBeDefined();
    expect([await shown(), anew === docs]).toEqual([anew, false]);
    expect((await place.verify(restore)).passed).toBe(true);
    expect((await place.plan()).steps).toEqual([]);
  });

  it('is the new one where the platform goes on to name the one that was deleted: nothing was shown first, and each plan was empty', async () => {
    await using proxy = await rewriting(world);
    const first = { type: 'site', site: docs };
    proxy.rewrite = changing((one) => (one['object'] === 'organization' ? { defaultContent: first, ...one } : one));
    await world.api.deleteSite({ path: { organizationId: world.organization, siteId: docs } });
    const naming = inPlace(world, proxy.client);
    const { failures } = await naming.apply(await naming.plan());
    const { items } = await world.api.listSites({ path: { organizationId: world.organization } });
    expect([failures, await shown()]).toEqual([[], items.find(({ title }) => title === 'Docs')?.id]);
    expect((await naming.plan()).steps).toEqual([]);
  });

  it('is said not to be there when what was asked for does not bring it back', async () => {
    await world.api.deleteSite({ path: { organizationId: world.organization, siteId: docs } });
    const { steps } = await place.plan({ scope: 'kind:organization' });
    expect(steps.map(({ action, note }) => [action, note])).toEqual([
      ['unsupported', 'site Docs, which was shown first, is not there'],
    ]);
  });

  it('is left as it is where only what is missing is asked for', async () => {
    await show(other);
    expect((await place.plan({ changed: false })).steps).toEqual([]);
  });

  it('is taken away where none was shown first', async () => {
    await show(null);
    await world.sync();
    await show(other);
    const { restore } = await place.apply(await place.plan({ snapshot: 2 }));
    expect(await shown()).toBeUndefined();
    expect((await place.verify(restore)).passed).toBe(true);
  });
});
