// The second half of pains.test.ts: what goes wrong around the walks: rights, health, proofs, retention, locks, readers, secrets.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { atOnce, manualClock, seededRandom, silentLogger } from '../../src/base/index.ts';
import {
  checkMirror,
  forget,
  listSnapshots,
  openMirror,
  planForget,
  prune,
  recordDrill,
  runQuery,
  spotCheck,
  takeLease,
  type ListLive,
  type ReadLive,
} from '../../src/mirror/index.ts';
import { noRuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { addSpace, edit, furnish, insert, pagesOf } from '../support/content.ts';
import { furnishedWorld, walkedWorld } from '../support/furnished.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';
import { programAt } from '../support/programs.ts';

const HOUR = 3_600_000;
const NONE = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };

describe('losing permission looks like losing data', () => {
  it('keeps what a token no longer sees, says that the scope shrank, and freezes retention', async () => {
    await using world = await furnishedWorld();
    const name = { displayName: 'Backup', email: 'backup@example.com' };
    const user = world.platform.createUser({ ...name, organization: world.organization, role: 'admin' });
    await using client = world.clientOf({ url: world.platform.url, token: user.token });
    await world.sync({ client });
    const before = Object.keys(stateOf(world.mirror, 1));
    await world.api.updateMember({
      path: { organizationId: world.organization, userId: user.id },
      body: { role: 'read' },
    });
    const { snapshot } = await world.sync({ client, mode: 'full' });
    expect([snapshot.state, snapshot.reason]).toEqual(['partial', expect.stringContaining('scope shrank') as string]);
    expect(rowsOf(world.mirror, 'select * from tombstones')).toEqual([]);
    expect(Object.keys(stateOf(world.mirror, 2))).toEqual(expect.arrayContaining(before));
    expect(planForget(world.mirror, { ...NONE, last: 1 }).every(({ keep }) => keep)).toBe(true);
  });
});

describe('corrupt or zero-byte files', () => {
  it('keeps no file of which fewer bytes came than its record says, and brings it the next time', async () => {
    await using world = await furnishedWorld();
    const bytes = { status: 200, body: '', headers: { 'content-type': 'image/png' } };
    world.platform.faults = [{ operation: 'download', effect: bytes }];
    const { snapshot, failures } = await world.sync();
    expect([snapshot.state, failures.some(({ code }) => code === 'DM_DOWNLOAD_FAILED')]).toEqual(['partial', true]);
    expect(rowsOf(world.mirror, 'select id from files where sha256 is not null')).toEqual([]);
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, 'select id from files where sha256 is null')).toEqual([]);
    expect((await checkMirror(world.mirror, { readData: true })).problems).toEqual([]);
  });
});

describe('download addresses that have expired', () => {
  it.each([400, 401, 403, 404, 410])(
    'asks for the record of the file anew, once, after a %i, and the walk is complete',
    async (status) => {
      await using world = await furnishedWorld();
      world.platform.faults = [{ operation: 'download', nth: 1, count: 1, effect: { status } }];
      expect((await world.sync({ settings: { lanes: 1 } })).snapshot.state).toBe('complete');
      expect(world.asked('getFile')).toBe(1);
    },
  );
});

describe('backups stopped weeks ago and nobody knew', () => {
  it('is unready as soon as the last complete snapshot or the last passed drill is too old, however many failed since', async () => {
    await using world = await TestWorld.create();
    await addSpace(world, 'Space');
    await world.sync();
    recordDrill(world.mirror, { snapshot: 1, passed: true, requests: 1, durationMs: 1, report: {} });
    const clock = manualClock(world.clock.now());
    const freshness = { snapshotMs: 26 * HOUR, drillMs: 8 * 24 * HOUR };
    const app = createStatusApp({
      dataDir: world.dataDir,
      clock,
      log: silentLogger(),
      freshness,
      live: () => noRuntimeState,
    });
    expect((await app.request('/readyz')).status).toBe(200);
    await clock.advance(30 * HOUR);
    world.clock.advance(30 * HOUR);
    world.platform.faults = [{ operation: 'listMembers', effect: { status: 500 } }];
    expect((await world.sync()).snapshot.state).toBe('partial');
    expect([(await app.request('/readyz')).status, (await app.request('/healthz')).status]).toEqual([503, 200]);
    world.platform.faults = [];
    expect((await world.sync()).snapshot.state).toBe('complete');
    expect((await app.request('/readyz')).status).toBe(200);
    await clock.advance(9 * 24 * HOUR);
    expect(await (await app.request('/readyz')).text()).toContain('drill');
  });
});

describe('nobody knows whether it can be restored', () => {
  it('finds a byte that changed on disk, and a record that is not what the platform has', async () => {
    await using world = await walkedWorld();
    const { collection } = world.made;
    const [object = ''] = [...world.mirror.objects.list()];
    writeFileSync(world.mirror.objects.pathOf(object), 'rotten');
    const { problems } = await checkMirror(world.mirror, { readData: true });
    const which = expect.stringMatching(new RegExp(`^${object} \\([a-z-]*file \\S+\\)$`)) as string;
    expect(problems).toEqual([expect.objectContaining({ what: 'object', which, first: 1, last: 1 })]);
    // An answer that differs although no counter and no time of the platform says that anything changed.
    const silent: ReadLive = ({ kind }) =>
      Promise.resolve(
        kind === 'collection' ? { is: 'there', body: { id: collection, title: 'Another' } } : { is: 'gone' },
      );
    const list: ListLive = () => Promise.resolve({ is: 'listed', items: [] });
    const asking = { count: 1000, random: seededRandom(1), live: { read: silent, list } };
    expect((await spotCheck(world.mirror, asking)).problems).toContainEqual(
      expect.objectContaining({ key: collection, problem: expect.stringContaining('title') as string }),
    );
  });
});

describe('retention eats the good ones', () => {
  it('counts no partial snapshot, and drops nothing while the newest is suspect or a survivor is damaged', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Space');
    await edit(world, space, ...Array.from({ length: 6 }, (_, number) => insert(`P${number}`, `text ${number}`)));
    await world.sync();
    world.platform.faults = [{ operation: 'listMembers', effect: { status: 500 } }];
    for (let night = 0; night < 3; night++) expect((await world.sync()).snapshot.state).toBe('partial');
    world.platform.faults = [];
    expect(planForget(world.mirror, { ...NONE, last: 1 }).find(({ id }) => id === 1)?.keep).toBe(true);
    const pages = Object.values(await pagesOf(world, space));
    await edit(world, space, ...pages.slice(1).map((page) => ({ type: 'delete_page' as const, page })));
    const brake = { deletedShare: 0.5, deletedCount: 3, rewrittenShare: 2, rewrittenCount: 1e9 };
    expect((await world.sync({ settings: { brake } })).snapshot.state).toBe('suspect');
    expect(() => atOnce(forget(world.mirror, { ...NONE, last: 1 }))).toThrow(
      expect.objectContaining({ code: 'DM_BRAKE' }),
    );
    expect(listSnapshots(world.mirror)).toHaveLength(5);
    expect(atOnce(prune(world.mirror)).bodies).toBe(0);
  });
});

describe('a stale lock blocks every night after one crash', () => {
  it('walks as soon as the one that crashed is gone, and not before', async () => {
    await using world = await furnishedWorld();
    const child = spawn(process.execPath, [programAt('test/mirror/lease-holder.ts'), world.dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    try {
      await once(createInterface(child.stdout), 'line');
      await expect(takeLease(world.dataDir, 'sync')).rejects.toMatchObject({ code: 'DM_DATA_DIR_LOCKED' });
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
    using _lease = await takeLease(world.dataDir, 'sync');
    // The one that crashed was the newer writer: whoever goes on opens the mirror anew.
    world.close();
    await world.open();
    expect((await world.sync()).snapshot.state).toBe('complete');
  });
});

describe('analysts read while the sync writes', () => {
  it('answers every question during a walk, with one and the same sealed snapshot and no lock error', async () => {
    await using world = await walkedWorld();
    const { guide } = world.made;
    await edit(world, guide, insert('Meanwhile', 'text'));
    const question = 'select (select id from shown_snapshot), count(*), group_concat(distinct title) from pages';
    const before = runQuery(world.dataDir, question, null).rows;
    const answers: unknown[] = [];
    const client = world.hooked(() => void answers.push(runQuery(world.dataDir, question, null).rows));
    await world.sync({ client, mode: 'full' });
    expect(answers.length).toBeGreaterThan(20);
    for (const answer of answers) expect(answer).toEqual(before);
    expect(runQuery(world.dataDir, question, null).rows).not.toEqual(before);
  });
});

describe('tokens in logs', () => {
  it('says the token in no failure, no history and no row, though the platform repeats it', async () => {
    const token = 'dm_planted_token_9876543210';
    await using world = await TestWorld.create({ token });
    await furnish(world);
    const body = { error: { code: 500, message: `cannot accept Bearer ${token}` } };
    world.platform.faults = [{ operation: 'getPage', effect: { status: 500, body } }];
    const { failures } = await world.sync();
    expect(failures.length).toBeGreaterThan(0);
    expect(JSON.stringify(failures)).not.toContain(token);
    const copy = world.folder();
    await world.mirror.store.driver.backup(`${copy}/mirror.db`);
    using other = await openMirror({ dataDir: copy, clock: world.clock });
    for (const { name } of rowsOf(
      other,
      "select name from sqlite_schema where type = 'table' and sql not like '%virtual%'",
    ))
      expect(JSON.stringify(rowsOf(other, `select * from "${String(name)}"`)), String(name)).not.toContain(token);
  });
});

describe('"append-only" that still lets an attacker mark deletions', () => {
  it('knows no way from a walk to forgetting: not one name of it occurs in the room', () => {
    const room = fileURLToPath(new URL('../../src/walker', import.meta.url));
    const files = readdirSync(room, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(30);
    expect(texts.filter((text) => /\b(forget|prune|unpinSnapshot|planForget)\b/.test(text))).toEqual([]);
  });

  it('leaves every earlier snapshot as it was, whatever a later walk sees', async () => {
    await using world = await walkedWorld();
    const { guide } = world.made;
    const before = stateOf(world.mirror, 1);
    const pages = Object.values(await pagesOf(world, guide));
    for (const page of pages.slice(-1)) await edit(world, guide, { type: 'delete_page', page });
    await world.api.deleteSpace({ path: { spaceId: guide } });
    await world.sync();
    expect(stateOf(world.mirror, 1)).toEqual(before);
  });
});
