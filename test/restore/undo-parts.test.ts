// An undo of what lies in other things: values of custom fields, fields of what stands, and a section that went with the last space that it
// showed.
import { expect, it } from 'vitest';
import { restoreOfPlan } from '../../src/mirror/index.ts';
import { planHash } from '../../src/restore/plan/plan-file.ts';
import { addCollection, addRequest, addSpace } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { bare, mirrored } from '../support/in-place.ts';
import { rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

async function titleAndParent({ api }: TestWorld, spaceId: string): Promise<unknown[]> {
  const { title, parent } = await api.getSpace({ path: { spaceId } });
  return [title, parent];
}

it.each([false, true])(
  'restore/undo gives a custom field back the value that the restore has set back (killed: %s)',
  async (isKilled) => {
    let path = { spaceId: '' };
    const { world, place } = await bare(async (world) => {
      path = { spaceId: await addSpace(world, 'Zoo') };
      for (const name of ['days', 'hours']) {
        const field = { path: { organizationId: world.organization }, body: { name, type: 'number' as const } };
        await world.api.createCustomField(field);
      }
      await world.api.updateCustomFieldValues({ path, body: { values: { days: { value: 3 }, hours: { value: 1 } } } });
    });
    await using _world = world;
    const { api } = world;
    await api.updateCustomFieldValues({ path, body: { values: { days: { value: 4 } } } });
    const plan = await place.plan();
    const client = cutOnce(world.client, { cut: 'killed', nth: 0, sent: true });
    if (isKilled) await expect(place.apply(plan, { client })).rejects.toThrow('killed');
    else expect((await place.apply(plan)).failures).toEqual([]);
    const restore = restoreOfPlan(world.mirror, planHash(plan))?.id ?? '';
    await api.updateCustomFieldValues({ path, body: { values: { hours: { value: 2 } } } });
    const values = async (): Promise<Record<string, unknown>> => {
      const all = await api.getCustomFieldValues({ path });
      return Object.fromEntries(all.map(({ customField, value }) => [customField.name, value]));
    };
    expect(await values()).toEqual({ days: 3, hours: 2 });
    expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
    // What somebody has set since in another field is theirs.
    expect(await values()).toEqual({ days: 4, hours: 2 });
  },
);

it('restore/undo makes a section anew that went with the last space that it showed', async () => {
  let spaces: string[] = [];
  const { world, place } = await bare(async (world) => {
    const organizationId = world.organization;
    const { id: siteId } = await world.api.createSite({ path: { organizationId }, body: { title: 'Handbook' } });
    spaces = [await addSpace(world, 'First'), await addSpace(world, 'English'), await addSpace(world, 'German')];
    for (const [title, spaceId = ''] of [
      ['First', spaces[0]],
      ['Start', spaces[1]],
    ] as const)
      await world.api.createSiteSection({ path: { organizationId, siteId }, body: { title, spaceId } });
  });
  await using _world = world;
  const { api, organization: organizationId } = world;
  const site = (await api.listSites({ path: { organizationId } })).items.find(({ title }) => title === 'Handbook');
  const path = { organizationId, siteId: site?.id ?? '' };
  const shown = async (): Promise<string[]> =>
    (await api.listSiteSections({ path })).items.map(
      ({ title, siteSpaces }) => `${title}: ${siteSpaces.map(({ space }) => space.title).join(', ')}`,
    );
  const start = (await api.listSiteSections({ path })).items.find(({ title }) => title === 'Start');
  await api.createSiteSpace({ path, body: { spaceId: spaces[2] ?? '', sectionId: start?.id ?? '' } });
  const english = start?.siteSpaces[0]?.id ?? '';
  await api.deleteSiteSpace({ path: { ...path, siteSpaceId: english } });
  expect(await shown()).toEqual(['First: First', 'Start: German']);
  const plan = await place.plan({ missing: false, changed: false, added: true });
  const { restore, failures } = await place.apply(plan);
  expect([failures, await shown()]).toEqual([[], ['First: First']]);
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect(await shown()).toEqual(['First: First', 'Start: German']);
});

it('restore/undo leaves the value that somebody gave another space since, of the same field: it was set back with that of the restore', async () => {
  const spaces: string[] = [];
  const { world, place } = await bare(async (world) => {
    const field = { name: 'days', type: 'number' as const };
    await world.api.createCustomField({ path: { organizationId: world.organization }, body: field });
    for (const title of ['Zoo', 'Yard']) {
      const spaceId = await addSpace(world, title);
      spaces.push(spaceId);
      await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values: { days: { value: 3 } } } });
    }
  });
  await using _world = world;
  const [own = '', other = ''] = spaces;
  const set = async (spaceId: string, value: number) =>
    world.api.updateCustomFieldValues({ path: { spaceId }, body: { values: { days: { value } } } });
  await set(own, 4);
  const plan = await place.plan({ scope: `space:${own}` });
  const { restore, failures } = await place.apply(plan);
  await set(other, 7);
  await world.sync();
  const { steps } = await place.undo(restore, plan);
  expect([failures, steps.map(({ key }) => key)]).toEqual([[], [own]]);
});

it('restore/undo leaves what somebody wrote in another change request since, in the same page: it was set back with that of the restore', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  const page = made.pages['Use'] ?? '';
  const write = (markdown: string) => [{ type: 'update_page' as const, page, document: { markdown } }];
  const requests: string[] = [];
  for (const subject of ['One', 'Other'])
    requests.push((await addRequest(world, made.guide, { subject, changes: write(`${subject} proposes.`) })).id);
  const { snapshot } = await world.sync();
  const [own = '', other = ''] = requests;
  const change = async (changeRequestId: string, markdown: string) =>
    world.api.changeContent({ path: { spaceId: made.guide, changeRequestId }, body: { changes: write(markdown) } });
  await change(own, 'Vandalised.');
  const plan = await place.plan({ snapshot: snapshot.id });
  const { restore, failures } = await place.apply(plan);
  await change(other, 'By somebody.');
  await world.sync();
  const { steps } = await place.undo(restore, plan);
  expect([failures, steps.map(({ key }) => key)]).toEqual([[], [`${made.guide}/${own}`]]);
});

it('restore/undo leaves the name that somebody gave a section since, which still shows other spaces', async () => {
  let spaces: string[] = [];
  const { world, place } = await bare(async (world) => {
    const organizationId = world.organization;
    const { id: siteId } = await world.api.createSite({ path: { organizationId }, body: { title: 'Handbook' } });
    spaces = [await addSpace(world, 'First'), await addSpace(world, 'English'), await addSpace(world, 'German')];
    for (const spaceId of spaces.slice(0, 2))
      await world.api.createSiteSection({ path: { organizationId, siteId }, body: { title: 'Start', spaceId } });
  });
  await using _world = world;
  const { api, organization: organizationId } = world;
  const site = (await api.listSites({ path: { organizationId } })).items.find(({ title }) => title === 'Handbook');
  const path = { organizationId, siteId: site?.id ?? '' };
  const sections = async () => (await api.listSiteSections({ path })).items;
  const sectionId = (await sections()).at(-1)?.id ?? '';
  await api.createSiteSpace({ path, body: { spaceId: spaces[2] ?? '', sectionId } });
  const plan = await place.plan({ missing: false, changed: false, added: true });
  const { restore, failures } = await place.apply(plan);
  await api.updateSiteSection({ path: { ...path, siteSectionId: sectionId }, body: { title: 'Renamed' } });
  const { steps } = await place.undo(restore, plan);
  expect([failures, [...new Set(steps.map(({ kind }) => kind))]]).toEqual([[], ['site-space']]);
});

it.each([
  ['went meanwhile', true, []],
  ['still stands', false, [expect.stringContaining('(deleteTeam) answered 404')]],
] as const)(
  'restore/undo, where the deletion of a team that %s is answered with 404, fails only if that still stands: it failed in any case',
  async (_what, isDone, told) => {
    let path = { organizationId: '', teamId: '' };
    const { world, place } = await bare(async ({ api, organization: organizationId }) => {
      const { id } = await api.createTeam({ path: { organizationId }, body: { title: 'Writers' } });
      path = { organizationId, teamId: id };
    });
    await using _world = world;
    await world.api.deleteTeam({ path });
    const plan = await place.plan();
    const { restore } = await place.apply(plan);
    await using proxy = await rewriting(world);
    const notFound = { status: 404, body: { error: { code: 404, message: 'Not found' } } };
    proxy.rewrite = ({ method }) => (method === 'DELETE' ? notFound : undefined);
    if (!isDone) proxy.before = ({ method }) => (method === 'DELETE' ? notFound : undefined);
    const { failures } = await place.apply(await place.undo(restore, plan), { client: proxy.client });
    expect(failures.map(({ error }) => error)).toEqual(told);
  },
);

it('restore/undo leaves the fields that the restore did not write: a space that it had moved alone lost the title which somebody gave it since', async () => {
  let spaceId = '';
  let shelf = '';
  const { world, place } = await bare(async (world) => {
    shelf = await addCollection(world, 'Shelf');
    spaceId = await addSpace(world, 'Zoo', shelf);
  });
  await using _world = world;
  const path = { spaceId };
  const shown = () => titleAndParent(world, spaceId);
  await world.api.moveSpace({ path, body: { parent: null } });
  const moving = await place.plan();
  const { restore } = await place.apply(moving);
  await world.api.updateSpace({ path, body: { title: 'Park' } });
  expect(await shown()).toEqual(['Park', shelf]);
  const undo = await place.undo(restore, moving);
  expect((await place.apply(undo)).failures).toEqual([]);
  expect(await shown()).toEqual(['Park', undefined]);
});

it('restore/undo sets back the one field of several that the restore wrote, and all of them with --even-changed', async () => {
  let spaceId = '';
  const { world, place } = await bare(async (world) => {
    spaceId = await addSpace(world, 'Zoo');
    await world.api.updateSpace({ path: { spaceId }, body: { emoji: '1f981' } });
  });
  await using _world = world;
  const path = { spaceId };
  await world.api.updateSpace({ path, body: { emoji: '1f40d' } });
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  await world.api.updateSpace({ path, body: { title: 'Park' } });
  const shown = async (): Promise<unknown[]> => {
    const { title, emoji } = await world.api.getSpace({ path });
    return [title, emoji];
  };
  expect(await shown()).toEqual(['Park', '1f981']);
  const all = await place.undo(restore, plan, { evenChanged: true });
  const [one] = (await place.undo(restore, plan)).steps;
  expect(one?.mend?.fields.map(({ field }) => field)).toEqual(['emoji']);
  expect(all.steps[0]?.mend?.fields.map(({ field }) => field).toSorted()).toEqual(['emoji', 'title']);
});

it('restore/undo leaves a field and a place that somebody changed after the restore had written them: it set them back over that', async () => {
  let spaceId = '';
  let shelf = '';
  let chest = '';
  const { world, place } = await bare(async (world) => {
    [shelf, chest] = [await addCollection(world, 'Shelf'), await addCollection(world, 'Chest')];
    spaceId = await addSpace(world, 'Zoo', shelf);
  });
  await using _world = world;
  const path = { spaceId };
  const shown = () => titleAndParent(world, spaceId);
  await world.api.updateSpace({ path, body: { title: 'Park' } });
  await world.api.moveSpace({ path, body: { parent: null } });
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  expect(await shown()).toEqual(['Zoo', shelf]);
  await world.api.updateSpace({ path, body: { title: 'Garden' } });
  await world.api.moveSpace({ path, body: { parent: chest } });
  const undo = await place.undo(restore, plan);
  expect(undo.steps.map(({ action, note }) => [action, note])).toEqual([
    ['unsupported', 'its place: somebody changed it after the restore: it is left as it is'],
    ['unsupported', 'its title: somebody changed it after the restore: it is left as it is'],
  ]);
  expect((await place.apply(undo)).failures).toEqual([]);
  expect(await shown()).toEqual(['Garden', chest]);
  const all = await place.undo(restore, plan, { evenChanged: true });
  expect((await place.apply(all)).failures).toEqual([]);
  expect(await shown()).toEqual(['Park', undefined]);
});

it.each<[string, string[] | null, string]>([
  [
    'leaves a list to which somebody has added: it was set back over that',
    ['acme.example', 'new.example'],
    'unsupported',
  ],
  ['leaves a list from which somebody has taken: it was set back over that', [], 'unsupported'],
  ['sets a list back that nobody has changed', null, 'update'],
])('restore/undo %s', async (_what, since, action) => {
  const { world, place } = await bare(({ api, organization: organizationId }) =>
    api.updateOrganization({ path: { organizationId }, body: { emailDomains: ['acme.example'] } }),
  );
  await using _world = world;
  const path = { organizationId: world.organization };
  const set = (emailDomains: string[]) => world.api.updateOrganization({ path, body: { emailDomains } });
  await set(['other.example']);
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  if (since !== null) await set(since);
  const undo = await place.undo(restore, plan);
  expect(undo.steps.map((step) => step.action)).toEqual([action]);
  expect((await place.apply(undo)).failures).toEqual([]);
  const { emailDomains } = await world.api.getOrganization({ path });
  expect(emailDomains).toEqual(since ?? ['other.example']);
});

it('restore/undo leaves a value that somebody changed after the restore had set it back: it was set back over that', async () => {
  let path = { spaceId: '' };
  const { world, place } = await bare(async (world) => {
    path = { spaceId: await addSpace(world, 'Zoo') };
    const body = { name: 'days', type: 'number' as const };
    await world.api.createCustomField({ path: { organizationId: world.organization }, body });
    await world.api.updateCustomFieldValues({ path, body: { values: { days: { value: 3 } } } });
  });
  await using _world = world;
  const give = (value: number) => world.api.updateCustomFieldValues({ path, body: { values: { days: { value } } } });
  await give(4);
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  await give(5);
  const undo = await place.undo(restore, plan);
  expect(undo.steps.map(({ action, note }) => [action, note])).toEqual([
    ['unsupported', 'its value of days: somebody changed it after the restore: it is left as it is'],
  ]);
});

it.each(['Of somebody.', null])(
  'restore/undo leaves the text of a comment that somebody changed since (%s): it was set back over that',
  async (words) => {
    let path = { spaceId: '', commentId: '' };
    const { world, place } = await bare(async (world) => {
      const spaceId = await addSpace(world, 'Zoo');
      const made = await world.api.createComment({
        path: { spaceId },
        body: { body: { markdown: 'For @jo: right.' } },
      });
      path = { spaceId, commentId: made.id };
    });
    await using _world = world;
    const write = (markdown: string) => world.api.updateComment({ path, body: { body: { markdown } } });
    await write('Wrong.');
    const plan = await place.plan();
    const { restore } = await place.apply(plan);
    if (words !== null) await write(words);
    const undo = await place.undo(restore, plan);
    expect(undo.steps.map(({ action, note }) => [action, note])).toEqual([
      words === null
        ? ['update', 'body']
        : ['unsupported', 'its body: somebody changed it after the restore: it is left as it is'],
    ]);
  },
);

it('restore/undo leaves a team that it had made and somebody has renamed since: it was taken away, with its new name', async () => {
  const { world, place } = await bare(async ({ api, organization }) => {
    for (const title of ['Writers', 'Readers'])
      await api.createTeam({ path: { organizationId: organization }, body: { title } });
  });
  await using _world = world;
  const path = { organizationId: world.organization };
  const teams = async () => (await world.api.listTeams({ path })).items;
  for (const { id } of await teams()) await world.api.deleteTeam({ path: { ...path, teamId: id } });
  const plan = await place.plan();
  const { restore } = await place.apply(plan);
  const writers = (await teams()).find(({ title }) => title === 'Writers');
  await world.api.updateTeam({ path: { ...path, teamId: writers?.id ?? '' }, body: { title: 'Authors' } });
  const undo = await place.undo(restore, plan);
  expect((await place.apply(undo)).failures).toEqual([]);
  expect((await teams()).map(({ title }) => title)).toEqual(['Authors']);
  const all = await place.undo(restore, plan, { evenChanged: true });
  expect((await place.apply(all)).failures).toEqual([]);
  expect(await teams()).toEqual([]);
});

it('restore/undo takes what stood out of a collection that the restore made anew: it said that somebody had moved it since', async () => {
  let [spaceId, collectionId] = ['', ''];
  const { world, place } = await bare(async (world) => {
    collectionId = await addCollection(world, 'Shelf');
    spaceId = await addSpace(world, 'Zoo', collectionId);
  });
  await using _world = world;
  const { api, organization: organizationId } = world;
  await api.moveSpace({ path: { spaceId }, body: { parent: null } });
  await api.deleteCollection({ path: { collectionId } });
  const plan = await place.plan();
  const { restore, failures } = await place.apply(plan);
  const shelf = (await api.listCollections({ path: { organizationId } })).items[0]?.id ?? '';
  expect([failures, await titleAndParent(world, spaceId)]).toEqual([[], ['Zoo', shelf]]);
  expect((await place.apply(await place.undo(restore, plan))).failures).toEqual([]);
  expect(await titleAndParent(world, spaceId)).toEqual(['Zoo', undefined]);
  expect((await api.listCollections({ path: { organizationId } })).items).toEqual([]);
});
