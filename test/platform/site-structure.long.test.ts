import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { SiteSection, SiteSectionGroup, SiteSpace } from '../../src/contract/index.ts';
import { at, createWorld, listAll, type World } from './world.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

type Path = Record<string, string>;

interface Structure {
  sections: SiteSection[];
  groups: SiteSectionGroup[];
  siteSpaces: SiteSpace[];
}

/** Everything of a site, read one by one, so that paging is walked too. */
async function read(world: World, path: Path): Promise<Structure> {
  const query = { limit: 1 };
  return {
    sections: await listAll(world, 'listSiteSections', { path, query }),
    groups: await listAll(world, 'listSiteSectionGroups', { path, query }),
    siteSpaces: await listAll(world, 'listSiteSpaces', { path, query }),
  };
}

async function space(world: World, title = 'Guide'): Promise<string> {
  const path = { organizationId: world.organization };
  return (await world.call('createSpace', { path, body: { title } })).body.id;
}

async function site(world: World, spaces: string[] = []): Promise<Path> {
  const path = { organizationId: world.organization };
  return { ...path, siteId: (await world.call('createSite', { path, body: { spaces } })).body.id };
}

describe('platform/store/site-structure', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const section = async (path: Path, title: string): Promise<SiteSection> => {
    const made = await world.call('createSiteSection', { path, body: { spaceId: await space(world, title), title } });
    expect(made.status).toBe(201);
    return made.body;
  };
  const add = async (path: Path, title: string, sectionId?: string): Promise<SiteSpace> => {
    const body = { spaceId: await space(world, title), ...(sectionId === undefined ? {} : { sectionId }) };
    return (await world.call('createSiteSpace', { path, body })).body;
  };
  const titles = (items: readonly { title: string }[]): string[] => items.map(({ title }) => title);
  const defaults = (items: readonly { title: string; default?: boolean }[]): string[] =>
    titles(items.filter((item) => item.default));

  it('moves what stands at the root into a section of its own when the first section comes', async () => {
    const path = await site(world, [await space(world, 'A'), await space(world, 'Bee')]);
    const [, second] = (await read(world, path)).siteSpaces;
    await world.call('updateSite', { path, body: { defaultSiteSpace: second?.id } });
    const made = await section(path, 'New');
    const { sections, siteSpaces } = await read(world, path);
    expect(sections.map((one) => [one.title, one.path, one.default, titles(one.siteSpaces)])).toEqual([
      ['Bee', 'bee', true, ['A', 'Bee']],
      ['New', 'new', false, ['New']],
    ]);
    expect(sections.flatMap((one) => one.siteSpaces)).toEqual(siteSpaces);
    expect(defaults(siteSpaces)).toEqual(['Bee', 'New']);
    expect(at(siteSpaces, 1).id).toBe(second?.id);
    expect(at(siteSpaces, 2).section).toBe(made.id);
  });

  it('puts a site space into the section that is named, else the default one, else the root', async () => {
    const path = await site(world);
    expect((await add(path, 'Root')).section).toBeUndefined();
    const refused = { spaceId: await space(world), sectionId: 'nobody' };
    expect((await world.call('createSiteSpace', { path, body: refused })).status).toBe(400);
    const second = await section(path, 'Second');
    expect((await add(path, 'Named', second.id)).section).toBe(second.id);
    const [first] = (await read(world, path)).sections;
    expect((await add(path, 'Default')).section).toBe(first?.id);
    await world.call('updateSite', { path, body: { defaultSiteSection: second.id } });
    const added = await add(path, 'Moved');
    expect(added.section).toBe(second.id);
    const twice = await world.call('createSiteSpace', { path, body: { spaceId: added.space.id } });
    expect(twice.status).toBe(409);
  });

  it('keeps the default through moves, and hands it on when it goes', async () => {
    const path = await site(world);
    const [one, two, three] = [await section(path, 'One'), await section(path, 'Two'), await section(path, 'Three')];
    await world.call('moveSiteSection', { path: { ...path, siteSectionId: one.id }, body: {} });
    expect(defaults((await read(world, path)).sections)).toEqual(['One']);
    await world.call('deleteSiteSection', { path: { ...path, siteSectionId: one.id } });
    await world.call('moveSiteSection', { path: { ...path, siteSectionId: two.id }, body: {} });
    expect(titles((await read(world, path)).sections)).toEqual(['Three', 'Two']);
    expect(defaults((await read(world, path)).sections)).toEqual(['Two']);
    const inner = at(three.siteSpaces, 0);
    await world.call('updateSite', { path, body: { defaultSiteSpace: inner.id } });
    expect(defaults((await read(world, path)).sections)).toEqual(['Three']);
    await add(path, 'Other', three.id);
    await world.call('deleteSiteSpace', { path: { ...path, siteSpaceId: inner.id } });
    const left = at((await read(world, path)).sections, 0);
    expect(left.siteSpaces.map((item) => [item.title, item.default])).toEqual([['Other', true]]);
  });

  it('keeps what stands in for a default that left with its space, through moves: another became the default', async () => {
    const path = await site(world);
    const [one, two, three] = [await section(path, 'One'), await section(path, 'Two'), await section(path, 'Three')];
    const organization = world.platform.createOrganization({ title: 'Other' });
    const spaceId = at(one.siteSpaces, 0).space.id;
    await world.call('transferSpace', { path: { spaceId }, body: { organization } });
    expect(defaults((await read(world, path)).sections)).toEqual(['Two']);
    await world.call('moveSiteSection', { path: { ...path, siteSectionId: two.id }, body: {} });
    expect(defaults((await read(world, path)).sections)).toEqual(['Two']);
    await world.call('createSiteSectionGroup', { path, body: { title: 'Group', sections: [two.id, three.id] } });
    expect(defaults((await read(world, path)).sections)).toEqual(['Two']);
  });

  it('gives a default back with its space, whatever went meanwhile: another stayed the default', async () => {
    const path = await site(world, [await space(world, 'Home'), await space(world, 'Other')]);
    const [home, other] = (await read(world, path)).siteSpaces;
    const last = await add(path, 'Last');
    const spaceId = home?.space.id ?? '';
    await world.call('deleteSpace', { path: { spaceId } });
    await world.call('deleteSiteSpace', { path: { ...path, siteSpaceId: last.id } });
    expect(defaults((await read(world, path)).siteSpaces)).toEqual([other?.title]);
    await world.call('restoreSpace', { path: { spaceId } });
    expect(defaults((await read(world, path)).siteSpaces)).toEqual([home?.title]);
  });

  it('lets a section go with its last site space, and goes back to the root with the last section', async () => {
    const path = await site(world);
    const only = await section(path, 'Only');
    await world.call('deleteSiteSpace', { path: { ...path, siteSpaceId: at(only.siteSpaces, 0).id } });
    expect(await read(world, path)).toEqual({ sections: [], groups: [], siteSpaces: [] });
    const next = await add(path, 'Root');
    expect([next.section, next.default]).toEqual([undefined, true]);
  });

  it('gives every sibling a path of its own and refuses one that is taken', async () => {
    const path = await site(world);
    const [one, two] = [await section(path, 'Same name'), await section(path, 'Same name')];
    expect([one.path, two.path]).toEqual(['same-name', 'same-name-2']);
    const rename = (to: string) =>
      world.call('updateSiteSection', { path: { ...path, siteSectionId: two.id }, body: { path: to } });
    expect((await rename('same-name')).status).toBe(409);
    expect((await rename('same-name-2')).status).toBe(200);
    expect((await rename('other')).body.path).toBe('other');
    const [a, b] = [await add(path, 'Twin', one.id), await add(path, 'Twin', one.id)];
    expect([a.path, b.path]).toEqual(['twin', 'twin-2']);
    const siteSpacePath = { ...path, siteSpaceId: b.id };
    expect((await world.call('updateSiteSpace', { path: siteSpacePath, body: { path: 'twin' } })).status).toBe(409);
    expect((await world.call('updateSiteSpace', { path: siteSpacePath, body: { path: 'twin-2' } })).status).toBe(200);
    expect((await add(path, 'Twin', two.id)).path).toBe('twin');
  });

  it('gives a second section of a title that grows in lower case a path within bounds: the answer broke the contract', async () => {
    const path = await site(world);
    const paths = [await section(path, 'İ'.repeat(50)), await section(path, 'İ'.repeat(50))].map((one) => one.path);
    expect(paths.map((one) => Array.from(one).length)).toEqual([100, 100]);
    expect(new Set(paths).size).toBe(2);
  });

  it('keeps, sets and removes what a PATCH leaves out, names, and nulls', async () => {
    const path = await site(world);
    const made = await section(path, 'Section');
    const sectionPath = { ...path, siteSectionId: made.id };
    const set = { title: 'Better', condition: 'visitor.claims.beta', icon: 'rocket', description: 'About' };
    expect((await world.call('updateSiteSection', { path: sectionPath, body: set })).body).toMatchObject(set);
    const cleared = await world.call('updateSiteSection', {
      path: sectionPath,
      body: { condition: null, icon: null, description: null },
    });
    expect(cleared.body).toEqual({ ...made, title: 'Better' });
    const wrong = { defaultSiteSpace: 'nobody' };
    expect((await world.call('updateSiteSection', { path: sectionPath, body: wrong })).status).toBe(400);
    const siteSpacePath = { ...path, siteSpaceId: at(made.siteSpaces, 0).id };
    const body = { condition: 'visitor.claims.beta' };
    expect((await world.call('updateSiteSpace', { path: siteSpacePath, body })).body).toMatchObject(body);
    const open = await world.call('updateSiteSpace', { path: siteSpacePath, body: { condition: null } });
    expect(open.body).toEqual(at(made.siteSpaces, 0));
  });

  it('moves site spaces before, after, between neighbours and to the end', async () => {
    const path = await site(world);
    const [a, b, c] = [await add(path, 'A1'), await add(path, 'B1'), await add(path, 'C1')];
    const beside = (one: SiteSpace) => ({ type: 'site-space', siteSpace: one.id });
    const move = async (one: SiteSpace, position: object) => {
      const reply = await world.call('moveSiteSpace', { path: { ...path, siteSpaceId: one.id }, body: { position } });
      return reply.status === 200 ? titles((await read(world, path)).siteSpaces) : reply.status;
    };
    expect(await move(c, { before: beside(a) })).toEqual(['C1', 'A1', 'B1']);
    expect(await move(c, { after: beside(a) })).toEqual(['A1', 'C1', 'B1']);
    expect(await move(b, { after: beside(a), before: beside(c) })).toEqual(['A1', 'B1', 'C1']);
    expect(await move(a, {})).toEqual(['B1', 'C1', 'A1']);
    expect(await move(a, {})).toEqual(['B1', 'C1', 'A1']);
    expect(await move(a, { before: beside(c), after: beside(c) })).toBe(400);
    expect(await move(a, { before: { type: 'site-space', siteSpace: 'nobody' } })).toBe(400);
  });

  it('keeps one order among groups and the sections outside of them', async () => {
    const path = await site(world);
    const [one, two, three] = [await section(path, 'One'), await section(path, 'Two'), await section(path, 'Three')];
    const made = await world.call('createSiteSectionGroup', {
      path,
      body: { title: 'Group', icon: 'book', sections: [three.id, one.id] },
    });
    expect(titles(made.body.sections)).toEqual(['Three', 'One']);
    expect(at(made.body.sections, 0).sectionGroup).toBe(made.body.id);
    const groupPath = { ...path, siteSectionGroupId: made.body.id };
    const order = async () => titles((await read(world, path)).sections);
    expect(await order()).toEqual(['Two', 'Three', 'One']);
    const before = { type: 'site-section', id: two.id };
    await world.call('moveSiteSectionGroup', { path: groupPath, body: { position: { before } } });
    expect(await order()).toEqual(['Three', 'One', 'Two']);
    await world.call('moveSiteSection', {
      path: { ...path, siteSectionId: three.id },
      body: { position: { after: { type: 'site-section', siteSection: one.id } } },
    });
    expect(await order()).toEqual(['One', 'Three', 'Two']);
    const outside = { position: { after: { type: 'site-section', siteSection: two.id } } };
    const away = await world.call('moveSiteSection', { path: { ...path, siteSectionId: three.id }, body: outside });
    expect(away.status).toBe(400);

    const join = (sectionId: string) => world.call('addSectionToGroup', { path: groupPath, body: { sectionId } });
    expect(titles((await join(two.id)).body.sections)).toEqual(['One', 'Three', 'Two']);
    expect((await join(two.id)).status).toBe(409);
    expect((await join('nobody')).status).toBe(400);
    const leave = (siteSectionId: string) =>
      world.call('removeSectionFromGroup', { path: { ...groupPath, siteSectionId } });
    expect((await leave(one.id)).status).toBe(205);
    expect((await leave(one.id)).status).toBe(404);
    expect(await order()).toEqual(['Three', 'Two', 'One']);
    const renamed = await world.call('updateSiteSectionGroup', {
      path: groupPath,
      body: { title: 'More', icon: null },
    });
    expect([renamed.body.title, renamed.body.icon]).toEqual(['More', undefined]);
    expect((await world.call('deleteSiteSectionGroup', { path: groupPath })).status).toBe(205);
    expect(await order()).toEqual(['Three', 'Two', 'One']);
    expect((await read(world, path)).sections.map((item) => item.sectionGroup)).toEqual(Array(3).fill(undefined));
  });

  it('hides the entries of deleted spaces, brings them back, and drops them with the space for good', async () => {
    await using late = await createWorld();
    const [kept, gone] = [await space(late, 'Kept'), await space(late, 'Gone')];
    const path = await site(late, [gone, kept]);
    const before = await read(late, path);
    await late.call('deleteSpace', { path: { spaceId: gone } });
    const { siteSpaces } = await read(late, path);
    expect([titles(siteSpaces), defaults(siteSpaces)]).toEqual([['Kept'], ['Kept']]);
    expect((await late.call('getSite', { path })).body.siteSpaces).toBe(1);
    const hidden = { ...path, siteSpaceId: at(before.siteSpaces, 0).id };
    expect((await late.call('updateSiteSpace', { path: hidden, body: {} })).status).toBe(404);
    expect((await late.call('createSiteSpace', { path, body: { spaceId: gone } })).status).toBe(400);
    await late.call('restoreSpace', { path: { spaceId: gone } });
    const after = await read(late, path);
    expect(after.siteSpaces.map((one) => [one.id, one.default])).toEqual(
      before.siteSpaces.map((one) => [one.id, one.default]),
    );
    await late.call('createSiteSection', { path, body: { spaceId: gone, title: 'Short-lived' } });
    await late.call('deleteSpace', { path: { spaceId: gone } });
    late.clock.advance(WEEK_MS + 1);
    await late.call('deleteSpace', { path: { spaceId: await space(late) } });
    const end = await read(late, path);
    expect([titles(end.sections), titles(end.siteSpaces)]).toEqual([['Gone'], ['Kept']]);
  });

  it('refuses a default that hides with its space as a wrong field: 404 said that something of the address is not there', async () => {
    const [spaceId, other] = [await space(world, 'Gone'), await space(world, 'Kept')];
    const path = await site(world, [other, spaceId]);
    const hidden = at((await read(world, path)).siteSpaces, 1);
    await world.call('deleteSpace', { path: { spaceId } });
    const chosen = await world.call('updateSite', { path, body: { defaultSiteSpace: hidden.id } });
    expect([chosen.status, chosen.body.error?.message]).toEqual([400, expect.stringMatching(/^defaultSiteSpace: /)]);
    const { id: siteSectionId } = await section(path, 'Other');
    const [first] = (await read(world, path)).sections;
    const here = { path: { ...path, siteSectionId: first?.id ?? '' }, body: { defaultSiteSpace: hidden.id } };
    expect(first?.id).not.toBe(siteSectionId);
    expect((await world.call('updateSiteSection', here)).status).toBe(400);
  });

  it('takes a space off the sites of the organization that it leaves', async () => {
    const spaceId = await space(world);
    const path = await site(world, [spaceId]);
    const organization = world.platform.createOrganization({ title: 'Other' });
    await world.call('transferSpace', { path: { spaceId }, body: { organization } });
    expect((await read(world, path)).siteSpaces).toEqual([]);
    expect((await world.call('createSiteSpace', { path, body: { spaceId } })).status).toBe(400);
  });
});

type Act = 'section' | 'space' | 'group' | 'join' | 'leave' | 'move' | 'choose' | 'drop' | 'bin' | 'restore';
interface Step {
  act: Act;
  a: number;
  b: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom<Act>(
    ...(['section', 'space', 'group', 'join', 'leave', 'move', 'choose', 'drop', 'bin', 'restore'] as const),
  ),
  a: fc.nat(7),
  b: fc.nat(7),
});

async function take(world: World, path: Path, { step: { act, a, b }, spaces }: { step: Step; spaces: string[] }) {
  const { sections, groups, siteSpaces } = await read(world, path);
  const pick = <T>(items: readonly T[], which: number): T | undefined => items[which % Math.max(items.length, 1)];
  const [one, other, group, entry] = [pick(sections, a), pick(sections, b), pick(groups, b), pick(siteSpaces, a)];
  const spaceId = pick(spaces, a);
  const sectionPath = { ...path, siteSectionId: one?.id ?? 'none' };
  const groupPath = { ...sectionPath, siteSectionGroupId: group?.id ?? 'none' };
  const sectionId = one?.id;
  switch (act) {
    case 'section':
      return world.call('createSiteSection', { path, body: { spaceId } });
    case 'space':
      return world.call('createSiteSpace', { path, body: { spaceId, ...(other ? { sectionId: other.id } : {}) } });
    case 'group':
      return world.call('createSiteSectionGroup', { path, body: { title: 'G', sections: one ? [one.id] : [] } });
    case 'join':
      return world.call('addSectionToGroup', { path: groupPath, body: { sectionId } });
    case 'leave':
      return b % 2 === 0
        ? world.call('removeSectionFromGroup', { path: groupPath })
        : world.call('deleteSiteSectionGroup', { path: groupPath });
    case 'move':
      return world.call('moveSiteSection', {
        path: sectionPath,
        body: { position: { before: { type: 'site-section', siteSection: other?.id ?? 'none' } } },
      });
    case 'choose':
      return world.call('updateSite', { path, body: { defaultSiteSpace: entry?.id } });
    case 'drop':
      return b % 2 === 0
        ? world.call('deleteSiteSpace', { path: { ...path, siteSpaceId: entry?.id ?? 'none' } })
        : world.call('deleteSiteSection', { path: sectionPath });
    case 'bin':
      return world.call('deleteSpace', { path: { spaceId: spaceId ?? '' } });
    case 'restore':
      return world.call('restoreSpace', { path: { spaceId: spaceId ?? '' } });
  }
}

/** What is true of a site whatever was done to it. */
async function check(world: World, path: Path): Promise<void> {
  const { sections, groups, siteSpaces } = await read(world, path);
  expect((await world.call('getSite', { path })).body.siteSpaces).toBe(siteSpaces.length);
  expect(new Set(sections.map((one) => one.path)).size).toBe(sections.length);
  expect(sections.filter((one) => one.default)).toHaveLength(Math.min(sections.length, 1));
  const root = siteSpaces.filter((one) => one.section === undefined);
  if (sections.length > 0) {
    expect(root).toEqual([]);
    expect(sections.flatMap((one) => one.siteSpaces)).toEqual(siteSpaces);
  }
  for (const list of [root, ...sections.map((one) => one.siteSpaces)]) {
    expect(list.filter((one) => one.default)).toHaveLength(Math.min(list.length, 1));
    expect(new Set(list.map((one) => one.path)).size).toBe(list.length);
  }
  for (const group of groups) {
    expect(group.sections).toEqual(sections.filter((one) => one.sectionGroup === group.id));
  }
}

describe('platform/store/site-places', () => {
  it('keeps one default, one order and true counts after any sequence of writes', async () => {
    await using world = await createWorld();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const spaces = [await space(world, 'A'), await space(world, 'B'), await space(world, 'B')];
        const path = await site(world, spaces.slice(0, 1));
        for (const one of steps) {
          expect((await take(world, path, { step: one, spaces })).status).toBeLessThan(500);
          await check(world, path);
        }
      }),
      { numRuns: 12 },
    );
  });
});
