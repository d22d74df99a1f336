import { describe, expect, it } from 'vitest';
import { afterAwake, manualClock } from '../../src/base/index.ts';

describe('base/awake', () => {
  it('gives up nothing for the time in which the process was stopped, and something that is late all the same', async () => {
    const clock = manualClock();
    let stopped = 0;
    let calls = 0;
    const stopping = { ...clock, monotonic: () => clock.monotonic() + stopped };
    using _limit = afterAwake(stopping, 30_000, () => (calls += 1));
    await clock.advance(29_500);
    // Stopped in its last second, for longer than the whole limit.
    stopped = 70_000;
    await clock.advance(500);
    expect(calls).toBe(0);
    await clock.advance(999);
    expect(calls).toBe(0);
    await clock.advance(1);
    expect(calls).toBe(1);
    await clock.advance(60_000);
    expect(calls).toBe(1);
  });

  it('calls nobody once it is disposed of', async () => {
    const clock = manualClock();
    let calls = 0;
    const limit = afterAwake(clock, 2500, () => (calls += 1));
    await clock.advance(2000);
    limit[Symbol.dispose]();
    await clock.advance(10_000);
    expect([calls, clock.pending()]).toEqual([0, 0]);
  });
});
