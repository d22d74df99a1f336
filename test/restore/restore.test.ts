import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDrills, readerAt, restoreById } from '../../src/mirror/index.ts';
import { planHash } from '../../src/restore/plan/plan-file.ts';
import { planOutline, planSummary, readPlan, runDrill, writePlan, type Plan } from '../../src/restore/index.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { planTree } from '../support/plan-tree.ts';
import { flatten, pagesOf, type Furnished } from '../support/content.ts';
import { createTarget, observer, type Target } from '../support/restore.ts';
import { rowsOf } from '../support/state.ts';
import { sleeplessClock } from '../support/sleepless-clock.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let made: Furnished;

beforeAll(async () => {
  const furnished = await furnishedWorld();
  world = furnished;
  made = furnished.made;
  const { snapshot } = await world.sync();
  expect([snapshot.id, snapshot.state]).toEqual([1, 'complete']);
});

afterAll(() => world[Symbol.asyncDispose]());

async function spaceNamed(target: Target, title: string): Promise<string> {
  const path = { organizationId: target.organization, userId: target.platform.owner };
  const { items } = await target.client.api.listMemberSpaces({ path });
  return items.find(({ space }) => space.title === title)?.space.id ?? '';
}

describe('restore/apply', () => {
  it('brings everything back exactly, without a new broken link', async () => {
    await using target = await createTarget(world);
    const applied = await target.apply(await target.plan());
    expect([applied.failed, applied.skipped, applied.failures]).toEqual([0, 0, []]);
    const report = await target.verify(applied.restore);
    expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
    expect(report.fidelity.exact.equal).toBe(report.fidelity.exact.fields);
    expect(report.brokenLinks.after).toBeLessThanOrEqual(report.brokenLinks.before);
    expect(report.passed).toBe(true);
    for (const [kind, { resources, missing }] of Object.entries(report.kinds)) {
      expect([kind, missing]).toEqual([kind, 0]);
      expect(resources, kind).toBeGreaterThan(0);
    }
    expect(
      rowsOf(world.mirror, 'select state, report is not null as reported from restores where id = ?', applied.restore),
    ).toEqual([{ state: 'done', reported: 1 }]);
  });

  it('points a link into another space at the page that was restored there', async () => {
    await using target = await createTarget(world);
    await target.apply(await target.plan());
    const guide = await spaceNamed(target, 'Guide');
    const news = await spaceNamed(target, 'News');
    const install = (await pagesOf(target.client, guide))['Install'];
    const first = (await pagesOf(target.client, news))['First'] ?? '';
    const page = await target.client.api.getPage({
      path: { spaceId: news, pageId: first },
      query: { format: 'markdown' },
    });
    expect(page.markdown).toContain(`(/spaces/${guide}/pages/${install})`);
    expect(page.markdown).not.toContain(made.guide);
  });

  it('posts comments below a line that names who wrote them and when', async () => {
    await using target = await createTarget(world);
    await target.apply(await target.plan());
    const path = { spaceId: await spaceNamed(target, 'Guide') };
    const { items } = await target.client.api.listComments({ path });
    const original = readerAt(world.mirror, 1).one('comment', `${made.guide}/${made.comment}`);
    const at = String(original?.body['postedAt']).slice(0, 16).replace('T', ' ');
    const texts = items.map(({ body }) => ('markdown' in body ? body.markdown : ''));
    expect(texts).toContain(`_Admin wrote on ${at} UTC:_\n\nHow often?`);
  });

  it('keeps the change requests in their states, with their own pages', async () => {
    await using target = await createTarget(world);
    await target.apply(await target.plan());
    const spaceId = await spaceNamed(target, 'Guide');
    const states: string[] = [];
    for (const status of ['draft', 'open', 'archived', 'merged'] as const) {
      const { items } = await target.client.api.listChangeRequests({ path: { spaceId }, query: { status } });
      for (const request of items) states.push(`${request.subject}: ${request.status}`);
      if (status !== 'draft') continue;
      const path = { spaceId, changeRequestId: items[0]?.id ?? '' };
      const { pages } = await target.client.api.getChangeRequestRevision({ path });
      expect(flatten(pages).map(({ title }) => title)).toEqual(['Home', 'Install', 'Linux', 'Use', 'Windows']);
    }
    expect(states.toSorted()).toEqual([
      'Clearer use: open',
      'Given up: archived',
      'Say more: archived',
      'Work in progress: draft',
    ]);
  });

  it('says which space came back with less than all of its content', async () => {
    await using target = await createTarget(world);
    const body = { revision: 'r', importedResources: 1, totalResources: 6 };
    target.platform.faults = [{ operation: 'importContent', effect: { status: 201, body } }];
    const applied = await target.apply(await target.plan(), { clock: sleeplessClock() });
    expect(applied.failures.map(({ error }) => error)).toContainEqual(expect.stringContaining('1 of 6'));
  });

  it('says nothing of that where the import that turns its links has brought the rest', async () => {
    await using target = await createTarget(world);
    const body = { revision: 'r', importedResources: 1, totalResources: 6 };
    target.platform.faults = [{ operation: 'importContent', nth: 1, effect: { status: 201, body } }];
    const applied = await target.apply(await target.plan(), { clock: sleeplessClock() });
    expect([applied.failures, applied.lacking]).toEqual([[], 0]);
    target.platform.faults = [];
    expect((await target.verify(applied.restore)).passed).toBe(true);
  });

  it('says what to do about each step that failed, and after a resume about those that failed again', async () => {
    await using target = await createTarget(world);
    target.platform.faults = [{ operation: 'createCollection', effect: { status: 403 } }];
    const told = ({ failures }: Awaited<ReturnType<Target['apply']>>): unknown[] =>
      failures.flatMap(({ kind, skipped, hint }) => (skipped ? [] : [[kind, hint]]));
    const expected = [['collection', expect.stringContaining('the permission')]];
    const applied = await target.apply(await target.plan(), { withoutComments: true });
    expect(told(applied)).toEqual(expected);
    expect(told(await target.resume(applied.restore, { withoutComments: true }))).toEqual(expected);
    target.platform.faults = [];
    const again = await target.resume(applied.restore, { onlyFailed: true });
    // What was never begun is left for a resume without that.
    expect([again.failures, again.left > 0]).toEqual([[], true]);
    expect(await target.resume(applied.restore)).toMatchObject({ failures: [], left: 0 });
  });

  it('sends a step that failed to the resume: the same command again refuses the plan as used', async () => {
    await using target = await createTarget(world);
    target.platform.faults = [{ operation: 'createCollection', effect: 'cut-before' }];
    const plan = await target.plan();
    const { restore, failures } = await target.apply(plan);
    const hints = failures.flatMap(({ skipped, hint }) => (skipped ? [] : [hint]));
    expect(hints).toEqual([expect.stringContaining(`then run \`docmirror restore resume ${restore}\`.`)]);
    // Somebody has written another plan under the same name since.
    await writePlan({ ...plan, nonce: 'another' }, restoreById(world.mirror, restore).plan);
    await expect(target.resume(restore)).rejects.toMatchObject({ code: 'DM_PLAN_STALE' });
  });

  it('leaves what is live alone when the content is to be reviewed', async () => {
    await using target = await createTarget(world);
    const applied = await target.apply(await target.plan({ review: true }));
    expect(applied.failures).toEqual([]);
    const spaceId = await spaceNamed(target, 'Guide');
    const live = await target.client.api.getRevision({ path: { spaceId } });
    expect(live.pages).toEqual([]);
    const { items } = await target.client.api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
    expect(items.map(({ subject }) => subject)).toEqual(['Restore of snapshot 1']);
    const path = { spaceId, changeRequestId: items[0]?.id ?? '' };
    expect(flatten((await target.client.api.getChangeRequestRevision({ path })).pages)).toHaveLength(4);
  });
});

describe('restore/plan', () => {
  it('is the same for the same snapshot and target, but for its number and time', async () => {
    await using target = await createTarget(world);
    const [{ nonce, createdAt: _, ...first }, { nonce: other, createdAt: __, ...second }] = [
      await target.plan(),
      await target.plan(),
    ];
    expect(first).toEqual(second);
    expect(nonce).not.toBe(other);
    expect(target.writes()).toEqual([]);
  });

  it('says in order what it will do, with its costs and with what cannot come back', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    const { actions, requests, estimatedMs } = planSummary(plan);
    expect(Object.values(actions).reduce((sum, count) => sum + count)).toBe(plan.steps.length);
    expect([requests > 0, estimatedMs > 0, actions.delete]).toEqual([true, true, 0]);
    const tree = planTree(plan);
    expect(tree[0]).toMatch(/^\+ collection Manuals/);
    expect(tree.filter((line) => line.includes(' member '))).toEqual(
      [
        '! member Robin Vale  (no member of the target is known to be this person)',
        '= member Admin  (is there with this role)',
      ].toSorted((a, b) => tree.indexOf(a) - tree.indexOf(b)),
    );
    for (const { step, needs } of plan.steps) for (const need of needs) expect(need).toBeLessThan(step);
  });

  it('is read as a tree: what is made in its place, what cannot come back by reason', async () => {
    await using target = await createTarget(world);
    const outline = planOutline(await target.plan());
    const at = outline.findIndex((line) => line.startsWith('+ collection Manuals'));
    expect(outline[at + 1]).toBe('  + collection Guides: description and default level');
    expect(outline[at + 2]).toMatch(
      /^    \+ space Guide: 4 pages and 2 files by import, .*4 change-requests, .*2 comments/,
    );
    expect(outline.find((line) => line.startsWith('+ space News: 1 page and'))).toContain(
      'links of 1 page into other spaces',
    );
    const idle = outline.slice(outline.indexOf('Cannot come back:') + 1);
    expect(idle).toContain('! 1 member: no member of the target is known to be this person (Robin Vale)');
    expect(idle.find((line) => line.includes('space-member'))).toMatch(
      /^! \d+ space-members: no operation gives a right/,
    );
    expect(new Set(idle).size).toBe(idle.length);
  });

  it('costs about what it says', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    const { requests } = await target.apply(plan);
    const expected = planSummary(plan).requests;
    expect(Math.abs(requests - expected) / expected).toBeLessThan(0.15);
  });

  it('is refused when it was edited by hand', async () => {
    await using target = await createTarget(world);
    const file = join(world.folder(), 'plan.json');
    const kept = await target.plan();
    await writePlan(kept, file);
    expect(await readPlan(file)).toEqual(JSON.parse(JSON.stringify(kept)));
    expect((await readPlan(file)).organization).toBe(world.organization);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"Manuals"', '"Other"'));
    await expect(readPlan(file)).rejects.toMatchObject({ code: 'DM_PLAN_DAMAGED' });
    writeFileSync(file, 'no JSON');
    await expect(readPlan(file)).rejects.toMatchObject({ code: 'DM_PLAN_DAMAGED' });
    await expect(readPlan(join(world.folder(), 'none'))).rejects.toMatchObject({ code: 'DM_USAGE' });
  });

  it('is refused when it is no plan though its hash fits, as one made by others: it ended as a fault of Docmirror', async () => {
    await using target = await createTarget(world);
    const file = join(world.folder(), 'plan.json');
    const kept = await target.plan();
    const others = [
      { ...kept, steps: null },
      { ...kept, target: null },
      { ...kept, steps: [{}] },
      { ...kept, steps: kept.steps.map((step) => ({ ...step, kind: '__proto__' })) },
      { version: 3 },
      // Of an older version: it was said that somebody had edited it.
      { ...kept, version: 2 },
    ];
    for (const plan of others) {
      writeFileSync(file, JSON.stringify({ hash: planHash(plan as typeof kept), plan }));
      const message = expect.stringContaining('most likely another version of Docmirror wrote it') as string;
      await expect(readPlan(file)).rejects.toMatchObject({ code: 'DM_PLAN_DAMAGED', message });
    }
  });

  it('is used once, and not at all where it has a step that this program does not know', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    const later = 'of a later release' as string as Plan['steps'][number]['part'];
    const steps = plan.steps.map((step, at) => (at + 1 < plan.steps.length ? step : { ...step, part: later }));
    await expect(target.apply({ ...plan, steps })).rejects.toThrow('no work for');
    expect(target.writes()).toEqual([]);
    await target.apply(plan);
    target.platform.clearRequestLog();
    await expect(target.apply(plan)).rejects.toMatchObject({ code: 'DM_PLAN_USED' });
    expect(target.writes()).toEqual([]);
  });

  it.each(['collection', 'space'] as const)('is not made for a target that already has a %s', async (what) => {
    await using target = await createTarget(world);
    const path = { organizationId: target.organization };
    if (what === 'collection') await target.client.api.createCollection({ path, body: { title: 'There' } });
    else await target.client.api.createSpace({ path, body: { title: 'There' } });
    target.platform.clearRequestLog();
    await expect(target.plan()).rejects.toMatchObject({ code: 'DM_TARGET_NOT_EMPTY' });
    expect(target.writes()).toEqual([]);
  });

  it('is stale when the target was filled after it was made', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    await target.client.api.createSpace({ path: { organizationId: target.organization }, body: { title: 'New' } });
    target.platform.clearRequestLog();
    await expect(target.apply(plan)).rejects.toMatchObject({ code: 'DM_PLAN_STALE' });
    expect(target.writes()).toEqual([]);
  });

  it('asks for a target when the token shows more than one', async () => {
    await using target = await createTarget(world);
    target.platform.createOrganization({ title: 'Another' });
    await expect(target.plan()).rejects.toMatchObject({ code: 'DM_USAGE' });
  });
});

describe('restore/content/archive', () => {
  /** Damages the bytes of a file for as long as the work takes. */
  async function withDamage(damage: (path: string) => void, work: () => Promise<void>): Promise<void> {
    const [file] = readerAt(world.mirror, 1).resources('file', made.guide);
    const path = world.mirror.objects.pathOf(file?.object?.sha256 ?? '');
    const bytes = readFileSync(path);
    damage(path);
    try {
      await work();
    } finally {
      writeFileSync(path, bytes);
    }
  }

  it.each([
    ['missing', (path: string) => rmSync(path)],
    ['cut short', (path: string) => writeFileSync(path, 'x')],
    [
      'changed',
      (path: string) =>
        writeFileSync(
          path,
          readFileSync(path).map((byte) => byte ^ 1),
        ),
    ],
  ])('is checked whole before the first write: a file whose bytes are %s', async (_, damage) => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    await withDamage(damage, async () => {
      await expect(target.apply(plan)).rejects.toMatchObject({ code: 'DM_ARCHIVE_DAMAGED' });
    });
    expect(target.writes()).toEqual([]);
    expect((await target.apply(plan)).failed, 'the plan is still good once the bytes are back').toBe(0);
  });

  it('is checked whole before the first write: a text that was changed in the database', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    const { driver } = world.mirror.store;
    const [row] = rowsOf(world.mirror, `select t.bid, t.data from versions v join bodies t on t.bid = v.text limit 1`);
    driver.prepare(`update bodies set data = 'forged' where bid = ?`).run(row?.['bid']);
    try {
      await expect(target.apply(plan)).rejects.toMatchObject({ code: 'DM_ARCHIVE_DAMAGED' });
      expect(target.writes()).toEqual([]);
    } finally {
      driver.prepare('update bodies set data = ? where bid = ?').run(row?.['data'], row?.['bid']);
    }
  });
});

describe('restore/drill', () => {
  it('restores into a platform of its own, verifies there and keeps the result', async () => {
    const target = await createTarget(world, { organization: null });
    const report = await runDrill({
      ...target.settings,
      snapshot: 1,
      observeTarget: observer(world),
      openTarget: (organizations) =>
        Promise.resolve({
          client: target.client,
          url: target.platform.url,
          organizations: organizations.map((one) => target.platform.createOrganization(one)),
          [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
        }),
    });
    expect([report.passed, report.differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
    expect(listDrills(world.mirror)[0]).toMatchObject({ snapshot: 1, passed: true, requests: report.requests });
    await expect(fetch(target.platform.url), 'the platform of the drill is gone').rejects.toThrow();
  });
});
