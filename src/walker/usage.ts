// What a walk uses of the platform and of time, added to its snapshot while it runs.
import { toAppError } from '../base/index.ts';
import { addUsage, type Usage } from '../mirror/index.ts';
import type { WalkOptions } from './types.ts';

const USAGE_EVERY_MS = 100;

interface UsageSince {
  /** What was used since the last time. */
  sinceLast(): Usage;
  /** Where the disk takes nothing, as a full one, it is added the next time: what ends a walk is told by what it is to store. Throws any other error. */
  add(snapshot: number): void;
  /** `add`, unless that was done a moment ago. */
  addNowAndThen(snapshot: number): void;
}

/** Adds to a snapshot, each time, what was used since the last time; so that a walk cut off by a kill, however soon, has counted most of it. */
export function usageSince({ client, clock, mirror }: WalkOptions): UsageSince {
  let last = { requests: client.meter.requests, bytes: client.meter.bytes, at: clock.monotonic() };
  const sinceLast = (): Usage => {
    const now = { requests: client.meter.requests, bytes: client.meter.bytes, at: clock.monotonic() };
    const used = {
      requests: now.requests - last.requests,
      bytes: now.bytes - last.bytes,
      durationMs: now.at - last.at,
    };
    last = now;
    return used;
  };
  let wasAdded = false;
  const add = (snapshot: number): void => {
    const before = last;
    try {
      addUsage(mirror, snapshot, sinceLast());
      wasAdded = true;
    } catch (error) {
      if (toAppError(error).code === 'DM_INTERNAL') throw error;
      last = before;
    }
  };
  return {
    sinceLast,
    add,
    addNowAndThen: (snapshot) => {
      if (!wasAdded || clock.monotonic() - last.at >= USAGE_EVERY_MS) add(snapshot);
    },
  };
}
