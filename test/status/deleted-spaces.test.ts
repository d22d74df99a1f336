// A deleted space stays in the platform's bin for seven days: as long as that lasts, the status says how long it still is.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusView } from '../../src/cli/views/status.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import { conditionsOf, type Condition } from '../../src/daemon/index.ts';
import { deletedSpaces } from '../../src/status/pages/deleted-spaces.ts';
import { deletedTogether, noRuntimeState, readStatus, undeleteOne, type StatusReport } from '../../src/status/index.ts';
import { metricsText } from '../../src/status/metrics.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { twoOrganizations } from '../support/two-organizations.ts';
import { TestWorld } from '../support/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FRESHNESS = { snapshotMs: 30 * DAY, drillMs: 30 * DAY };

let world: TestWorld;
let guide: string;

beforeAll(async () => {
  world = await TestWorld.create();
  guide = await addSpace(world, 'Guide');
  await addSpace(world, 'News');
  await edit(world, guide, insert('Page', 'words'));
  await world.sync();
});

afterAll(() => world[Symbol.asyncDispose]());

function status(): StatusReport {
  return readStatus(world.mirror, world.clock.now(), FRESHNESS);
}

function linesOf(report: StatusReport): string[] {
  const around = { dataDir: '/data', holder: null, pages: 0, flags: '' };
  return statusView(report, around, { style: createStyle(false), width: 200, named: String }).split('\n');
}

describe('status/deleted-spaces', () => {
  it('counts down until the platform drops the space, with the command that brings it back', async () => {
    expect(status().deletedSpaces).toEqual([]);
    await world.api.deleteSpace({ path: { spaceId: guide } });
    const { deletedAt } = await world.api.getSpace({ path: { spaceId: guide } });
    const since = Date.parse(deletedAt ?? '');
    await world.sync();
    expect(status().deletedSpaces).toMatchObject([{ id: guide, title: 'Guide', deletedAt, lastSeen: 1 }]);
    const at = (ms: number): StatusReport => {
      world.clock.advance(since + ms - world.clock.now());
      return status();
    };
    // The clock goes on: a minute more than that is left, so that it is still 3 hours when it is looked at.
    expect(linesOf(at(21 * HOUR - MINUTE))).toContain(
      `  Space Guide (${guide}) was deleted; it can be undeleted for 6 d 3 h`,
    );
    const command = `docmirror restore plan --snapshot 1 --in-place missing --scope space:${guide} --out undelete.json`;
    expect(linesOf(status()).map((line) => line.trim())).toContain(command);
    // Half a day more than there is was said on the page, which rounded it.
    expect(String(await deletedSpaces(at(4 * DAY + 11 * HOUR), String))).toContain('in 2 days: ');
    const [late] = at(6 * DAY + 23 * HOUR).deletedSpaces;
    expect(late?.leftMs).toBeGreaterThan(HOUR - 10_000);
    expect(late?.leftMs).toBeLessThanOrEqual(HOUR);
    expect(at(7 * DAY + HOUR).deletedSpaces).toEqual([]);
  });

  it('is silent once the space is back, and the metrics say both: whoever has Prometheus alone never heard of it', async () => {
    const metrics = async (): Promise<string[]> => {
      const { text } = await metricsText({ status: status(), stored: null, live: noRuntimeState });
      return text.split('\n').filter((line) => line.startsWith('docmirror_deleted_spaces'));
    };
    const other = await addSpace(world, 'Other');
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: other } });
    await world.sync();
    expect(status().deletedSpaces.map(({ title }) => title)).toEqual(['Other']);
    const left = (status().deletedSpaces[0]?.leftMs ?? 0) / 1000;
    const [number, seconds] = await metrics();
    expect(number).toBe('docmirror_deleted_spaces 1');
    expect(Number(seconds?.replace('docmirror_deleted_spaces_left_seconds ', ''))).toBeCloseTo(left, -2);
    await world.api.restoreSpace({ path: { spaceId: other } });
    await world.sync();
    expect(status().deletedSpaces).toEqual([]);
    expect(await metrics()).toEqual(['docmirror_deleted_spaces 0']);
  });

  it('lets no title of a deleted space give orders to the terminal', async () => {
    const hostile = await addSpace(world, 'Gone\u001b[2J\u009b31m');
    await world.sync();
    await world.api.deleteSpace({ path: { spaceId: hostile } });
    await world.sync();
    expect(linesOf(status()).join('\n')).toContain(`  Space Gone[2J31m (${hostile}) was deleted`);
    await world.api.restoreSpace({ path: { spaceId: hostile } });
    await world.sync();
  });

  it('names one command for many spaces that went in one night, and not one for each', async () => {
    const many = await Promise.all(['A', 'B', 'C', 'D'].map((title) => addSpace(world, title)));
    const { snapshot } = await world.sync();
    for (const spaceId of many) {
      await world.api.deleteSpace({ path: { spaceId } });
      // The first of them is the first that is gone for good.
      if (spaceId === many[0]) world.clock.advance(2 * HOUR);
    }
    await world.sync();
    world.clock.advance(MINUTE);
    const lines = linesOf(status()).filter(
      (line) => line.startsWith('  ') && /spaces were deleted|restore plan/.test(line),
    );
    const command = `docmirror restore plan --snapshot ${snapshot.id} --in-place missing --scope kind:space --out undelete.json`;
    expect(lines).toEqual([expect.stringMatching(/^ {2}4 spaces were deleted; .* for 6 d 21 h$/), `    ${command}`]);
    const html: unknown = await deletedSpaces(status(), (text) => text);
    expect(JSON.stringify(html).match(/restore plan/g)).toHaveLength(1);
  });
});

describe('status/deleted-spaces of two organizations', () => {
  it('names a command for each organization whose spaces went in one night, which makes a plan', async () => {
    await using twin = (await twoOrganizations()).world;
    const [first = '', second = ''] = twin.platform.organizations();
    const many: string[] = [];
    for (const organization of [first, second])
      for (const title of ['A', 'B', 'C', 'D']) many.push(await addSpace({ api: twin.api, organization }, title));
    const { snapshot } = await twin.sync();
    for (const spaceId of many) await twin.api.deleteSpace({ path: { spaceId } });
    await twin.sync();
    const report = readStatus(twin.mirror, twin.clock.now(), FRESHNESS);
    const lines = linesOf(report).filter((line) => /spaces of|restore plan/.test(line));
    const commandOf = (organization: string): string =>
      `docmirror restore plan --snapshot ${snapshot.id} --in-place missing --scope kind:space --where "organization = '${organization}'" --out undelete.json`;
    expect(lines).toEqual(
      [first, second].flatMap((organization): unknown[] => [
        expect.stringContaining(`4 spaces of organization ${organization} were deleted`),
        `    ${commandOf(organization)}`,
      ]),
    );
    const html: unknown = await deletedSpaces(report, (text) => text);
    expect(JSON.stringify(html).match(/restore plan/g)).toHaveLength(2);
    const [, where = ''] = /--where "(.*)" --out/.exec(lines[3] ?? '') ?? [];
    const asked = { snapshot: snapshot.id, scope: 'kind:space', where, changed: false };
    const { steps } = await inPlace(twin).plan(asked);
    expect(steps.map(({ key }) => key).toSorted()).toEqual(many.slice(4).toSorted());
  });
});

describe('status/deleted-spaces with ids that mean something to a shell', () => {
  const id = 'it\'s "$(echo gone)" `date`; exit 1';
  const space = {
    id,
    title: 'Guide',
    organization: id,
    leftMs: HOUR,
    lastSeen: 3,
    goneSince: 4,
    deletedAt: null,
  };
  const LIMITS = { ...FRESHNESS, freeDisk: 0.1 };

  /** What the program is given when somebody copies the command. */
  const wordsOf = (command: string): string[] => {
    const script = `docmirror() { printf '%s\\n' "$@"; }\n${command}`;
    return spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout.trimEnd().split('\n');
  };
  const conditions = (): Condition[] => {
    const seen = { ...readStatus(null, 0, FRESHNESS), deletedSpaces: [space] };
    return conditionsOf({ status: seen, jobs: [], disk: null, shrunk: 0, now: 0 }, LIMITS);
  };

  it('names commands that a shell takes as they are meant: one with a blank in an id was of other words, and could run what stood there', () => {
    const undelete = conditions().find(({ event }) => event === 'undelete');
    for (const command of [undeleteOne(space), undelete?.run ?? '']) {
      const words = wordsOf(command);
      expect(words[words.indexOf('--scope') + 1]).toBe(`space:${id}`);
      expect(words.slice(-2)).toEqual(['--out', 'undelete.json']);
    }
    const [{ together } = { together: null }] = deletedTogether([space, space, space, space]);
    const words = wordsOf(together ?? '');
    expect(words[words.indexOf('--where') + 1]).toBe(`organization = '${id.replace("'", "''")}'`);
  });

  it('counts one hour as one: a message said that there were 1 hours more', () => {
    expect(conditions().find(({ event }) => event === 'undelete')?.what).toMatch(/ for 1 hour more at most$/);
  });
});
