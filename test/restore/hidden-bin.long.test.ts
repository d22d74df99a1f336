// A platform that says of a deleted space only that it is not there: the API document tells of its bin, and not that it shows it.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { statusView } from '../../src/cli/views/status.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import { conditionsOf } from '../../src/daemon/index.ts';
import { deletedSpaces as spacesInBin, stepsOf } from '../../src/mirror/index.ts';
import { needsNewPlan } from '../../src/restore/index.ts';
import { deletedSpaces } from '../../src/status/pages/deleted-spaces.ts';
import { readStatus, type StatusReport } from '../../src/status/index.ts';
import { inPlace, mirroredAnew, type Mirrored } from '../support/in-place.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';

const anew = mirroredAnew();

const DAY = 86_400_000;

interface Hiding extends Mirrored, AsyncDisposable {
  readonly proxy: Rewriting;
}

const NONE = { status: 404, body: { error: { code: 404, message: 'No such space' } } };

/** Hides those spaces of the bin that a test says. */
async function hiding(isHidden: (space: unknown) => boolean = () => true): Promise<Hiding> {
  const { world, made } = await anew();
  const proxy = await rewriting(world);
  proxy.rewrite = (_asked, { status, body }) =>
    isRecord(body) && body['object'] === 'space' && typeof body['deletedAt'] === 'string' && isHidden(body['id'])
      ? NONE
      : { status, body };
  const dispose = async (): Promise<void> => {
    await proxy[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  };
  return { world, made, proxy, place: inPlace(world, proxy.client), [Symbol.asyncDispose]: dispose };
}

const FRESHNESS = { snapshotMs: 30 * DAY, drillMs: 30 * DAY };

function statusOf({ world }: Mirrored): StatusReport {
  return readStatus(world.mirror, world.clock.now(), FRESHNESS);
}

function told(hidden: Mirrored): string[] {
  return statusOf(hidden).deletedSpaces.map(({ id, deletedAt }) => `${id} ${String(deletedAt)}`);
}

it('restore/in-place brings a space out of a bin that shows nothing: it was made anew, with other ids and without what no operation writes, and nobody was told that it had gone', async () => {
  await using hidden = await hiding();
  const { world, made, place, proxy } = hidden;
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  await world.sync({ client: proxy.client });
  expect(told(hidden)).toEqual([`${made.guide} null`]);
  const plan = await place.plan({ changed: false });
  expect(plan.steps.filter(({ part }) => part !== 'none').map(({ part, key }) => `${part} ${key}`)).toEqual([
    `undelete ${made.guide}`,
  ]);
  expect(plan.steps[0]?.note).toContain('at most, where the platform, which says only that it is not there, has it');
  expect(await place.apply(plan)).toMatchObject({ done: 1, failures: [] });
  // Of the space itself, since when it is as it is.
  expect(await place.differences(1)).toEqual(['changed space Guide']);
  expect(told(hidden)).toEqual([]);
});

it.each([
  [404, 'Make a new plan: it makes the space anew.'],
  [403, 'Make a new plan: it makes the space anew. Or give the token the right to undelete, and resume.'],
])(
  'restore/in-place makes a space anew once a bin that shows nothing was asked for it in vain (%d), and nobody is told of it any more',
  async (status, hint) => {
    await using hidden = await hiding();
    const { world, made, place, proxy } = hidden;
    await world.api.deleteSpace({ path: { spaceId: made.guide } });
    const refused = { ...NONE, status };
    proxy.before = ({ method, path }) => (method === 'POST' && path.endsWith('/restore') ? refused : undefined);
    const applied = await place.apply(await place.plan({ changed: false }));
    expect(applied.failures).toMatchObject([{ kind: 'space', hint, isHeldBack: true }]);
    expect(needsNewPlan(stepsOf(world.mirror, applied.restore))).toBe(true);
    expect(told(hidden)).toEqual([]);
    const again = await place.plan({ changed: false });
    expect(again.preflight.filter(({ check }) => check === 'earlier restore')).toEqual([]);
    expect(again.steps.filter(({ kind }) => kind === 'space').map(({ part }) => part)).toContain('create');
    expect(await place.apply(again)).toMatchObject({ failures: [] });
  },
);

it.each([400, 409, 422])(
  'restore/in-place makes a space anew that a bin which shows nothing refuses with %i: each plan asked for it again, for seven days',
  async (status) => {
    await using hidden = await hiding();
    const { world, made, place, proxy } = hidden;
    await world.api.deleteSpace({ path: { spaceId: made.guide } });
    const refused = { status, body: { error: { code: status, message: 'Not to be restored' } } };
    proxy.before = ({ method, path }) => (method === 'POST' && path.endsWith('/restore') ? refused : undefined);
    const applied = await place.apply(await place.plan({ changed: false }));
    expect(applied.failures).toMatchObject([{ kind: 'space', hint: 'Make a new plan: it makes the space anew.' }]);
    expect(told(hidden)).toEqual([]);
    const again = await place.plan({ changed: false });
    expect(again.steps.filter(({ kind }) => kind === 'space').map(({ part }) => part)).toContain('create');
  },
);

it('restore/in-place names a space that was asked for and that the token does not reach, in the bin either: its plan was empty, as if it stood', async () => {
  await using hidden = await hiding();
  const { world, made, place, proxy } = hidden;
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  proxy.before = ({ path }) => (path.includes(`/spaces/${made.guide}`) ? { ...NONE, status: 403 } : undefined);
  const plan = await place.plan({ scope: `space:${made.guide}` });
  expect(plan.steps).toEqual([]);
  expect(plan.preflight.filter(({ check }) => check === 'out of reach')).toEqual([
    expect.objectContaining({ state: 'warn', detail: expect.stringMatching(`^space Guide \\(${made.guide}\\): `) }),
  ]);
  const { preflight } = await place.plan({ scope: `space:${made.news}` });
  expect(preflight.map(({ check }) => check)).not.toContain('out of reach');
});

it('restore/in-place asks the bin again for a space that was hidden when it was asked for in vain, and is deleted since: it was made anew, and nobody was told', async () => {
  let isHidden = true;
  await using hidden = await hiding();
  const { world, made, place, proxy } = hidden;
  const seen = proxy.rewrite;
  // Of a space that stands, and that the token may not see.
  proxy.before = ({ path }) => (isHidden && path.includes(`/spaces/${made.guide}`) ? NONE : undefined);
  proxy.rewrite = (asked, answer) => {
    if (isHidden && isRecord(answer.body) && Array.isArray(answer.body['items'])) {
      const items = answer.body['items'].filter(
        (one: unknown) => !isRecord(one) || (one['id'] !== made.guide && !JSON.stringify(one).includes(made.guide)),
      );
      return { ...answer, body: { ...answer.body, items, count: items.length } };
    }
    return seen?.(asked, answer);
  };
  await world.sync({ client: proxy.client, mode: 'full' });
  expect(told(hidden)).toEqual([`${made.guide} null`]);
  await place.apply(await place.plan({ changed: false }));
  expect(told(hidden)).toEqual([]);
  isHidden = false;
  world.clock.advance(DAY);
  await world.sync({ client: proxy.client, mode: 'full' });
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  world.clock.advance(DAY);
  await world.sync({ client: proxy.client, mode: 'full' });
  expect(told(hidden)).toEqual([`${made.guide} null`]);
});

it('restore/in-place asks no bin that shows what is in it for a space that it does not show', async () => {
  const shown = new Set<unknown>();
  await using hidden = await hiding((space) => !shown.has(space));
  const { world, made, place } = hidden;
  shown.add(made.news);
  for (const spaceId of [made.news, made.guide]) await world.api.deleteSpace({ path: { spaceId } });
  const { steps } = await place.plan({ changed: false });
  const spaces = steps.filter(({ kind }) => kind === 'space').map(({ part, key }) => `${part} ${key}`);
  expect(spaces).toContain(`undelete ${made.news}`);
  expect(spaces).toContain(`create ${made.guide}`);
  expect(told(hidden).map((one) => one.split(' ')[0])).toEqual([made.news]);
});

it('status, its page and the messages say of a space that is not there any more that it may have been deleted, and for how long at most that can be undone', async () => {
  await using hidden = await hiding();
  const { world, made, proxy } = hidden;
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  await world.sync({ client: proxy.client });
  world.clock.advance(60_000);
  const status = statusOf(hidden);
  const around = { dataDir: '/data', holder: null, pages: 0, flags: '' };
  const lines = statusView(status, around, { style: createStyle(false), width: 300, named: String }).split('\n');
  const gone = 'is not there any more: deleted, or hidden from the token;';
  expect(lines).toContain(
    `  Space Guide (${made.guide}) ${gone} what was deleted can be undeleted for 6 d 23 h at most`,
  );
  expect(String(await deletedSpaces(status, String))).toContain('in 6 days at the latest, where it was deleted');
  const seen = { status, jobs: [], disk: null, shrunk: 0, now: world.clock.now() };
  expect(conditionsOf(seen, { ...FRESHNESS, freeDisk: 0 }).map(({ what }) => what)).toContain(
    `The space Guide (${made.guide}) ${gone} the platform can bring back whole what was deleted, for 6 days more at most`,
  );
});

it('mirror/bin goes through the steps of all restores once: it did for each space that is gone, 0.6 s for 200 of them and 100,000 steps each time that somebody looked at the status', async () => {
  await using hidden = await hiding();
  const { mirror } = hidden.world;
  const asked: string[] = [];
  const store = new Proxy(mirror.store, {
    get: (of, name) => {
      if (name !== 'prepare') return Reflect.get(of, name) as unknown;
      return (sql: string) => {
        asked.push(sql);
        return of.prepare(sql);
      };
    },
  });
  spacesInBin({ ...mirror, store }, hidden.world.clock.now());
  const plan = rowsOf(mirror, `explain query plan ${asked[0] ?? ''}`).map(({ detail }) => String(detail));
  expect(plan).toContain('MATERIALIZE in_vain');
});

it('restore/in-place brings back what a site showed of spaces that were in no bin: the site came back without, and then nothing was said to be missing', async () => {
  await using hidden = await hiding();
  const { world, made, place, proxy } = hidden;
  const { api, organization: organizationId } = world;
  const path = { organizationId };
  const { id } = await api.createSite({ path, body: { title: 'Both' } });
  for (const [title, spaceId] of [
    ['First', made.guide],
    ['Second', made.news],
  ] as const)
    await api.createSiteSection({ path: { ...path, siteId: id }, body: { title, spaceId } });
  const { items } = await api.listSiteSections({ path: { ...path, siteId: id } });
  const second = items.find(({ title }) => title === 'Second')?.id ?? '';
  await api.updateSite({ path: { ...path, siteId: id }, body: { defaultSiteSection: second } });
  const { snapshot } = await world.sync({ client: proxy.client });
  await api.deleteSite({ path: { ...path, siteId: id } });
  for (const spaceId of [made.guide, made.news]) await api.deleteSpace({ path: { spaceId } });
  proxy.before = ({ path: at }) => (at.endsWith('/restore') ? NONE : undefined);
  const shown = async (): Promise<string[]> => {
    const site = (await api.listSites({ path })).items.find(({ title }) => title === 'Both');
    const sections = await api.listSiteSections({ path: { ...path, siteId: site?.id ?? '' } });
    return sections.items.map(({ title, default: isFirst }) => `${title} ${isFirst}`);
  };
  await place.apply(await place.plan({ snapshot: snapshot.id }));
  expect(await shown()).toEqual([]);
  const anew = await place.plan({ snapshot: snapshot.id });
  const { restore, failures } = await place.apply(anew);
  expect([failures, await shown()]).toEqual([[], ['First false', 'Second true']]);
  expect((await place.plan({ snapshot: snapshot.id })).steps.filter(({ part }) => part !== 'none')).toEqual([]);
  expect((await place.apply(await place.undo(restore, anew))).failures).toEqual([]);
  expect(await shown()).toEqual([]);
});
