// The operations by which a walk reads containers, content and talk, under every fault; see the matrix in test/support.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindNames, kindOf } from '../../src/contract/index.ts';
import { openedSnapshot, type Mirror } from '../../src/mirror/index.ts';
import { contentMatrix } from '../support/changing-worlds.ts';
import {
  CONTENT_OPERATIONS,
  effectsOn,
  EVERY_OPERATION,
  type FaultMatrix,
  type Outcome,
} from '../support/fault-matrix.ts';
import { rowsOf } from '../support/state.ts';
import { tokenWithdrawnAt } from '../support/token-withdrawn.ts';

const OPERATIONS = CONTENT_OPERATIONS;

let matrix: FaultMatrix;

beforeAll(async () => {
  matrix = await contentMatrix();
});

afterAll(() => matrix[Symbol.asyncDispose]());

describe('walker/faults', () => {
  it('covers every operation that a walk of this world calls', async () => {
    const called = await matrix.called();
    expect(called).toEqual(expect.arrayContaining([...OPERATIONS]));
    expect(called.filter((name) => !EVERY_OPERATION.has(name))).toEqual([]);
  });

  describe.each(OPERATIONS)('%s', (operation) => {
    it.each(effectsOn(operation))('%s', (name) => matrix.expectHonestUnder(operation, name));
  });

  const LISTED = kindNames.flatMap((name) => {
    const { read, get } = kindOf(name);
    const called = read.from === 'list' && (OPERATIONS as readonly string[]).includes(read.operation);
    return called && get !== undefined ? [{ kind: name, list: read.operation, get }] : [];
  });

  it.each(LISTED)('an empty $list proves nothing while $get fails', async ({ list, get }) => {
    for (const status of [403, 500]) {
      using mirror = await matrix.copied();
      const result = await matrix.faulty(mirror, [
        { operation: list, effect: 'empty-list' },
        { operation: get, effect: { status } },
      ]);
      expect('error' in result ? 'thrown' : result.snapshot.state).not.toBe('complete');
      await matrix.expectHonest(mirror, result);
    }
  });

  it('stops at a refused token and keeps the walk open to be continued', async () => {
    using mirror = await matrix.copied();
    const result = await matrix.faulty(mirror, tokenWithdrawnAt('getPage'));
    expect(result).toMatchObject({ error: { code: 'DM_TOKEN_REFUSED' } });
    const open = openedSnapshot(mirror);
    const { snapshot } = await matrix.world.sync({ mirror, mode: 'full' });
    expect(snapshot).toMatchObject({ id: open?.id, state: 'complete', resumed: 1 });
  });

  it('does not end, night after night, at the one operation that a platform refuses a good token with 401: the rest is read', async () => {
    using mirror = await matrix.copied();
    const result = await matrix.faulty(mirror, [{ operation: 'listComments', effect: { status: 401 } }]);
    expect(result).toMatchObject({
      snapshot: { state: 'partial', reason: expect.stringContaining('comments') as string },
    });
    expect(rowsOf(mirror, 'select distinct kind, status, code from failures')).toEqual([
      { kind: 'comment', status: 401, code: 'DM_TOKEN_REFUSED' },
    ]);
    await matrix.expectHonest(mirror, result);
  });

  it('reads once more what was answered with 401 for a moment', async () => {
    using mirror = await matrix.copied();
    const result = await matrix.faulty(mirror, [{ operation: 'getPage', nth: 2, effect: { status: 401 } }]);
    expect(result).toMatchObject({ snapshot: { state: 'complete' } });
    await matrix.expectHonest(mirror, result);
  });

  it('stops when the platform closes for longer than is allowed, and continues later', async () => {
    using mirror = await matrix.copied();
    const closed = { status: 429, headers: { 'retry-after': '3600' } };
    const result = await matrix.faulty(mirror, [{ operation: 'getPage', nth: 2, effect: closed }]);
    expect(result).toMatchObject({ error: { code: 'DM_RATE_LIMITED' } });
    expect(rowsOf(mirror, 'select * from failures')).toEqual([]);
    await matrix.expectHonest(mirror, result);
  });

  describe('a limit of its own', () => {
    const limited = { status: 429, headers: { 'retry-after': '0' } };

    // The waits grow up to the longest allowed, which is short here.
    const walkedWhile = async (mirror: Mirror, operation: 'listMembers' | 'getPage'): Promise<Outcome> => {
      await using client = matrix.world.clientOf(matrix.world.platform, { retries: 1, maxWaitMs: 20 });
      matrix.world.platform.faults = [{ operation, nth: 1, count: 10_000, effect: limited }];
      const walked = await matrix.world.sync({ mirror, client, mode: 'full' }).catch((error: unknown) => ({ error }));
      matrix.world.platform.faults = [];
      return walked;
    };

    it('of one address is a request that failed, and the rest is read: no night was ever sealed while it stood', async () => {
      using mirror = await matrix.copied();
      const result = await walkedWhile(mirror, 'listMembers');
      expect(result).toMatchObject({ snapshot: { state: 'partial' } });
      expect(rowsOf(mirror, 'select distinct kind, status, code from failures')).toEqual([
        { kind: 'member', status: 429, code: 'DM_RATE_LIMITED' },
      ]);
      await matrix.expectHonest(mirror, result);
    });

    it('of a whole operation ends the walk after a few addresses, and it is continued later', async () => {
      using mirror = await matrix.copied();
      const result = await walkedWhile(mirror, 'getPage');
      expect(result).toMatchObject({ error: { code: 'DM_RATE_LIMITED' } });
      expect(rowsOf(mirror, 'select count(*) as n from requests_failed')).toEqual([{ n: 3 }]);
      const resumed = await matrix.world.sync({ mirror, mode: 'full' });
      expect(resumed.snapshot).toMatchObject({ state: 'partial', reason: '3 pages not read', resumed: 1 });
      await matrix.expectHonest(mirror, resumed);
    });
  });

  it('records which request failed and how', async () => {
    using mirror = await matrix.copied();
    await matrix.faulty(mirror, [{ operation: 'getRevision', nth: 1, effect: 'cut-before' }]);
    expect(rowsOf(mirror, 'select kind, request, code from failures')).toEqual([
      {
        kind: 'revision',
        request: expect.stringMatching(/^GET \/v1\/spaces\/\w+\/content$/) as string,
        code: 'DM_UNREACHABLE',
      },
    ]);
  });

  it('waits when it is told to, and completes', async () => {
    using mirror = await matrix.copied();
    matrix.world.platform.faults = [
      { operation: 'getPage', nth: 1, count: 2, effect: { status: 429, headers: { 'retry-after': '0' } } },
    ];
    await using client = matrix.world.clientOf(matrix.world.platform, { retries: 2 });
    const { snapshot } = await matrix.world.sync({ mirror, client, mode: 'full' });
    matrix.world.platform.faults = [];
    expect([snapshot.state, client.meter.rateLimited]).toEqual(['complete', 2]);
  });
});
