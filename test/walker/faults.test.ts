// Every operation of a walk meets every fault, in a world that has changed since the last walk. Whatever the fault: nothing is called
// complete that is not the truth, nothing that is still there gets a tombstone, and the next clean walk arrives at the truth.
import { cpSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultPlan, FaultRule } from '../../src/platform/index.ts';
import { kindNames, kindOf, operationOf } from '../../src/contract/index.ts';
import { openedSnapshot, openMirror, type Mirror, type Snapshot } from '../../src/mirror/index.ts';
import type { WalkResult } from '../../src/walker/index.ts';
import { addSpace, edit, furnish, insert } from '../support/content.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

type State = ReturnType<typeof stateOf>;

/** Operations that this walk calls, direct reads of what is gone included. */
const OPERATIONS = [
  'listOrganizations',
  'listMembers',
  'listMemberSpaces',
  'listCollections',
  'listCollectionSpaces',
  'getRevision',
  'getPage',
  'download',
  'listChangeRequests',
  'getChangeRequest',
  'getChangeRequestRevision',
  'getChangeRequestPage',
  'listComments',
  'listCommentReplies',
  'listChangeRequestComments',
  'listChangeRequestCommentReplies',
  'getSpace',
  'getCollection',
  'getComment',
] as const;

const EFFECTS: Record<string, FaultRule['effect']> = {
  401: { status: 401 },
  403: { status: 403 },
  404: { status: 404 },
  429: { status: 429, headers: { 'retry-after': '0' } },
  500: { status: 500 },
  'cut-before': 'cut-before',
  truncate: 'truncate',
  html: 'html',
  'a web page with 404': { status: 404, body: '<h1>No such host</h1>', headers: { 'content-type': 'text/html' } },
  'empty-list': 'empty-list',
  'short-list': 'short-list',
  'repeat-token': 'repeat-token',
};

const ON_LISTINGS = new Set(['empty-list', 'short-list', 'repeat-token']);

// A direct read that lies about what is there cannot be told from the truth; 404 is what "gone" looks like.
const SAYS_GONE = new Set(['getSpace', 'getCollection', 'getComment']);

function effectsOn(operation: (typeof OPERATIONS)[number]): string[] {
  const isListing = operation !== 'download' && operationOf(operation).paged === true;
  return Object.keys(EFFECTS).filter((name) => {
    if (name === '404' && SAYS_GONE.has(operation)) return false;
    // Refused once, the token is refused everywhere.
    if (name === '401') return operation === 'listOrganizations' || operation === 'getComment';
    return isListing || !ON_LISTINGS.has(name);
  });
}

let world: TestWorld;
let before: State;
let truth: State;

beforeAll(async () => {
  world = await TestWorld.create();
  const made = await furnish(world);
  const doomed = await addSpace(world, 'Doomed', made.collection);
  const spare = await world.api.createCollection({
    path: { organizationId: world.organization },
    body: { title: 'Spare' },
  });
  const kept = await world.api.createComment({ path: { spaceId: made.guide }, body: { body: { markdown: 'Kept' } } });
  const commentPath = { spaceId: made.guide, commentId: kept.id };
  for (const markdown of ['One', 'Two'])
    await world.api.createCommentReply({ path: commentPath, body: { body: { markdown } } });
  const { snapshot } = await world.sync();
  before = stateOf(world.mirror, snapshot.id);
  world.close();
  await edit(world, made.guide, {
    type: 'update_page',
    page: made.pages['Use'] ?? '',
    document: { markdown: '# Use\n\nNew.' },
  });
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' }, insert('Mac', 'text'));
  await world.api.deleteSpace({ path: { spaceId: doomed } });
  await world.api.deleteCollection({ path: { collectionId: spare.id } });
  await world.api.deleteComment({ path: { spaceId: made.guide, commentId: made.comment } });
  await world.api.createComment({ path: { spaceId: made.guide }, body: { body: { markdown: 'Newer' } } });
  using fresh = await world.newMirror();
  truth = stateOf(fresh, (await world.sync({ mirror: fresh })).snapshot.id);
});

afterAll(async () => {
  await world.open();
  await world[Symbol.asyncDispose]();
});

/** A copy of the mirror as it was before the changes. */
async function copied(): Promise<Mirror> {
  const dataDir = world.folder();
  cpSync(world.dataDir, dataDir, { recursive: true });
  return openMirror({ dataDir, clock: world.clock });
}

/** A full walk with faults; what it threw counts as a result too. */
async function faulty(mirror: Mirror, faults: FaultPlan, pageSize = 100): Promise<WalkResult | { error: unknown }> {
  await using client = world.clientOf(world.platform);
  world.platform.faults = faults;
  try {
    return await world.sync({ mirror, client, mode: 'full', settings: { pageSize } });
  } catch (error) {
    return { error };
  } finally {
    world.platform.faults = [];
  }
}

function lastState(mirror: Mirror, result: WalkResult | { error: unknown }): State {
  return stateOf(mirror, 'error' in result ? 1 : result.snapshot.id);
}

/** What a walk with faults may leave behind, and what the next one must arrive at. */
async function expectHonest(mirror: Mirror, result: WalkResult | { error: unknown }): Promise<void> {
  const state = lastState(mirror, result);
  if (!('error' in result) && result.snapshot.state === 'complete') expect(state).toEqual(truth);
  for (const [key, held] of Object.entries(truth))
    if (before[key]) expect([held, before[key]], key).toContainEqual(state[key]);
  expectNoFalseTombstone(mirror);
  const next = await clean(mirror);
  expect([next.state, next.reason]).toEqual(['complete', null]);
  expect(stateOf(mirror, next.id)).toEqual(truth);
}

function expectNoFalseTombstone(mirror: Mirror): void {
  const buried = rowsOf(mirror, 'select kind, key from tombstones join resources using (rid)');
  for (const { kind, key } of buried)
    expect(truth, `tombstone of ${String(kind)}`).not.toHaveProperty([`${String(kind)} ${String(key)}`]);
}

async function clean(mirror: Mirror): Promise<Snapshot> {
  const mode = openedSnapshot(mirror) ? 'full' : 'incremental';
  return (await world.sync({ mirror, mode })).snapshot;
}

describe('walker/faults', () => {
  it('covers the reading and the direct read of every kind that this world holds', async () => {
    using mirror = await copied();
    world.platform.clearRequestLog();
    await world.sync({ mirror, mode: 'full' });
    const called = Object.keys(world.platform.requestLog.counts());
    expect(called).toEqual(expect.arrayContaining([...OPERATIONS]));
    const held = kindNames.filter((name) => Object.keys(truth).some((key) => key.startsWith(`${name} `)));
    const readings = held.flatMap((name) => {
      const { read, get } = kindOf(name);
      return [get, 'operation' in read ? read.operation : undefined].filter((one) => one !== undefined);
    });
    expect(
      readings.filter((name) => called.includes(name) && !(OPERATIONS as readonly string[]).includes(name)),
    ).toEqual([]);
  });

  describe.each(OPERATIONS)('%s', (operation) => {
    it.each(effectsOn(operation))('%s', async (name) => {
      const effect = EFFECTS[name] ?? 'html';
      using mirror = await copied();
      const result = await faulty(mirror, [{ operation, effect }], name === 'repeat-token' ? 1 : 100);
      const spoils = typeof effect === 'object' || ['cut-before', 'truncate', 'html'].includes(effect);
      if (spoils && !('error' in result)) expect(result.snapshot.state).toBe('partial');
      await expectHonest(mirror, result);
    });
  });

  const LISTED = kindNames.flatMap((name) => {
    const { read, get } = kindOf(name);
    const called = read.from === 'list' && (OPERATIONS as readonly string[]).includes(read.operation);
    return called && get !== undefined ? [{ kind: name, list: read.operation, get }] : [];
  });

  it.each(LISTED)('an empty $list proves nothing while $get fails', async ({ list, get }) => {
    for (const status of [403, 500]) {
      using mirror = await copied();
      const result = await faulty(mirror, [
        { operation: list, effect: 'empty-list' },
        { operation: get, effect: { status } },
      ]);
      expect('error' in result ? 'thrown' : result.snapshot.state).not.toBe('complete');
      await expectHonest(mirror, result);
    }
  });

  it('stops at a refused token and keeps the walk open to be continued', async () => {
    using mirror = await copied();
    const result = await faulty(mirror, [{ operation: 'getPage', effect: { status: 401 } }]);
    expect(result).toMatchObject({ error: { code: 'DM_TOKEN_REFUSED' } });
    const open = openedSnapshot(mirror);
    const { snapshot } = await world.sync({ mirror, mode: 'full' });
    expect(snapshot).toMatchObject({ id: open?.id, state: 'complete', resumed: 1 });
  });

  it('stops when the platform closes for longer than is allowed, and continues later', async () => {
    using mirror = await copied();
    const closed = { status: 429, headers: { 'retry-after': '3600' } };
    const result = await faulty(mirror, [{ operation: 'getPage', nth: 2, effect: closed }]);
    expect(result).toMatchObject({ error: { code: 'DM_RATE_LIMITED' } });
    expect(rowsOf(mirror, 'select * from failures')).toEqual([]);
    await expectHonest(mirror, result);
  });

  it('records which request failed and how', async () => {
    using mirror = await copied();
    await faulty(mirror, [{ operation: 'getRevision', nth: 1, effect: 'cut-before' }]);
    expect(rowsOf(mirror, 'select kind, request, code from failures')).toEqual([
      {
        kind: 'revision',
        request: expect.stringMatching(/^GET \/v1\/spaces\/\w+\/content$/) as string,
        code: 'DM_UNREACHABLE',
      },
    ]);
  });

  it('waits when it is told to, and completes', async () => {
    using mirror = await copied();
    world.platform.faults = [
      { operation: 'getPage', nth: 1, count: 2, effect: { status: 429, headers: { 'retry-after': '0' } } },
    ];
    await using client = world.clientOf(world.platform, { retries: 2 });
    const { snapshot } = await world.sync({ mirror, client, mode: 'full' });
    world.platform.faults = [];
    expect([snapshot.state, client.meter.rateLimited]).toEqual(['complete', 2]);
  });
});
