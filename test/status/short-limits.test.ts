// Whoever expects snapshots by the minute is told of minutes.
import { expect, it } from 'vitest';
import { conditionsOf } from '../../src/daemon/index.ts';
import { readStatus } from '../../src/status/index.ts';
import { TestWorld } from '../support/world.ts';

const MINUTE = 60_000;

it.each([
  [1, 2, 'The last complete snapshot is 2 ms old; expected at most 1 ms'],
  [10 * MINUTE, 90 * MINUTE, 'The last complete snapshot is 1 h 30 min old; expected at most 10 min'],
])(
  'freshness of %d ms is told in its own units: it was "0 hours old; expected at most 0"',
  async (limit, age, told) => {
    await using world = await TestWorld.create();
    const { snapshot } = await world.sync();
    const now = Date.parse(snapshot.sealed_at ?? '') + age;
    const limits = { snapshotMs: limit, drillMs: limit, freeDisk: 0.1 };
    const status = readStatus(world.mirror, now, limits);
    expect(status.reasons).toContain(told);
    const conditions = conditionsOf({ status, jobs: [], disk: null, shrunk: 0, now }, limits);
    expect(conditions.map(({ what }) => what)).toContain(told);
  },
);
