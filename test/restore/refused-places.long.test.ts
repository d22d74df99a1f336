// What a snapshot could not read, or the token is refused, it says nothing of: a restore makes nothing there, and takes nothing away.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import type { OperationName } from '../../src/contract/index.ts';
import type { FaultPlan } from '../../src/platform/index.ts';
import { addSpace } from '../support/content.ts';
import { walkedWholeWorld, wholeWorld } from '../support/furnished.ts';
import { inPlace } from '../support/in-place.ts';
import { drill } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { withdrawnSpace } from '../support/withdrawn-space.ts';

const refusing = (...operations: OperationName[]): FaultPlan =>
  operations.map((operation) => ({ operation, effect: { status: 403 } }));

const unknown = expect.objectContaining({ check: 'what is not known', state: 'warn' }) as unknown;

it.each([true, false])(
  'takes nothing away for which the snapshot could not look: sites and comments were deleted as not in it (accepted: %s)',
  async (acceptRights) => {
    await using world = await wholeWorld();
    world.platform.faults = refusing('listSites', 'listComments');
    await world.sync({ acceptRights });
    world.platform.faults = [];
    const plan = await inPlace(world).plan({ added: true, changed: false, missing: false });
    expect(plan.steps.filter(({ action }) => action === 'delete')).toEqual([]);
    expect(plan.preflight).toContainEqual(unknown);
    expect(plan.preflight).toContainEqual(expect.objectContaining({ check: 'the snapshot', state: 'warn' }));
  },
);

it.each([
  ['listMembers', 403, true],
  ['listMemberSpaces', 500, false],
  ['listSites', 501, false],
] as const)(
  'takes nothing away that is found by %s alone, when that answered %s (accepted: %s)',
  async (operation, status, acceptRights) => {
    await using world = await wholeWorld();
    world.platform.faults = [{ operation, effect: { status } }];
    await world.sync({ acceptRights });
    world.platform.faults = [];
    const plan = await inPlace(world).plan({ added: true, changed: false, missing: false });
    const deleted = plan.steps.filter(({ action }) => action === 'delete').map(({ kind }) => kind);
    expect(deleted.filter((kind) => kind === 'space' || kind === 'site')).toEqual([]);
  },
);

it('takes no space away that a site alone showed, when the listing of the site could not be read: it was deleted as not in the snapshot', async () => {
  await using world = await wholeWorld();
  const spaceId = await addSpace(world, 'Shown by a site');
  await world.api.createSite({
    path: { organizationId: world.organization },
    body: { title: 'Site', spaces: [spaceId] },
  });
  await using proxy = await rewriting(world);
  proxy.rewrite = ({ path }, { status, body }) => {
    if (path.endsWith('/site-spaces')) return { status: 500, body: {} };
    const items = isRecord(body) && Array.isArray(body['items']) ? body['items'].filter(isRecord) : [];
    if (path.endsWith('/members'))
      return { status, body: { items: items.map((one) => ({ ...one, spaces: undefined })) } };
    if (!/\/members\/[^/]+\/spaces$/.test(path)) return undefined;
    const others = items.filter(({ space }) => !isRecord(space) || space['id'] !== spaceId);
    return { status, body: { items: others } };
  };
  const { snapshot } = await world.sync({ client: proxy.client });
  expect(rowsOf(world.mirror, 'select id from spaces where id = ?', spaceId)).toEqual([]);
  const plan = await inPlace(world).plan({ snapshot: snapshot.id, added: true, changed: false, missing: false });
  expect(plan.steps.filter(({ action, key }) => action === 'delete' && key === spaceId)).toEqual([]);
  expect(plan.preflight).toContainEqual(unknown);
});

it('takes nothing away by a first walk that was limited to one space: all other spaces, sites and teams were not in its snapshot', async () => {
  await using world = await wholeWorld();
  const { guide } = world.made;
  await world.sync({ scope: { organizations: null, onlySpaces: [guide], extraSpaces: [] } });
  const plan = await inPlace(world).plan({ added: true, changed: false, missing: false });
  expect(plan.steps.filter(({ action }) => action === 'delete')).toEqual([]);
  expect(plan.preflight).toContainEqual(unknown);
});

it('brings back a space that was withdrawn from the token, once a full walk finds that it was deleted', async () => {
  const { news, ...withdrawn } = await withdrawnSpace();
  await using world = withdrawn.world;
  await world.sync({ acceptRights: true });
  expect((await world.sync({ mode: 'full' })).refused).toMatchObject([{ kind: 'space', resource: news }]);
  world.platform.faults = [];
  expect((await world.sync({ mode: 'full' })).refused).toEqual([]);
  const plan = await inPlace(world).plan({ snapshot: 1 });
  expect(plan.steps.map(({ key }) => key)).toContain(news);
});

it('makes nothing anew that the token is only refused: all that it lost the right to see was missing', async () => {
  await using world = await walkedWholeWorld();
  world.platform.faults = refusing('listSites', 'listTeams');
  await world.sync({ acceptRights: true, mode: 'full' });
  const plan = await inPlace(world).plan({ snapshot: 1 });
  expect(plan.steps.filter(({ action }) => action === 'create')).toEqual([]);
  expect(plan.preflight).toContainEqual(unknown);
});

// Of each, what names it is listed.
it.each([[['listTeams', 'listCustomFields', 'listSiteSections']], [['listSiteSectionGroups', 'listMembers']]] as const)(
  'passes a drill of what is left where the token is refused %s: what names what it may not see is no exact field',
  async (operations) => {
    await using world = await wholeWorld();
    world.platform.faults = refusing(...operations);
    const { snapshot } = await world.sync({ acceptRights: true });
    world.platform.faults = [];
    const { passed, differences } = await drill(world);
    expect([snapshot.state, passed]).toEqual(['complete', true]);
    expect(differences.filter((one) => one.class === 'exact')).toEqual([]);
  },
);
