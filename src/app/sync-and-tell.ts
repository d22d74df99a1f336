// One walk, with what belongs around it: pings, and messages when something is wrong.
import { aborted, count, isAbort, toAppError } from '../base/index.ts';
import { openMemory } from '../daemon/index.ts';
import type { JobState } from '../status/index.ts';
import type { Kit } from './kit.ts';
import { memoryFile } from './places.ts';
import { sync, type SyncOptions, type SyncResult } from './sync.ts';
import { createTeller, type Teller } from './tell.ts';

/** A walk that a scheduler of somebody else begins is told of as one of the daemon is. */
export async function syncAndTell(kit: Kit, options: SyncOptions): Promise<SyncResult> {
  const { clock, config, log } = kit;
  const begun = clock.now();
  let failure: JobState['failure'] = null;
  const job = (): JobState => ({
    name: 'sync',
    running: false,
    next: null,
    failure,
    last: { at: begun, ms: clock.now() - begun },
  });
  await using teller = createTeller({
    kit: () => kit,
    memory: openMemory(memoryFile(config), log),
    jobs: () => [job()],
  });
  try {
    return await pinged(teller, () => sync(kit, options));
  } catch (error) {
    const { code, message, hint } = toAppError(error);
    if (!isAbort(error)) failure = { at: clock.now(), code, message, hint };
    throw error;
  } finally {
    teller.look();
    // This process may end right after: what is being sent gets all the tries that it has. Who interrupts does not wait.
    await Promise.race([teller.settled(), aborted(options.signal)]);
  }
}

/** Tells the dead-man switch of the walk's begin and end. One that is interrupted has no end yet. */
export async function pinged(teller: Teller, walk: () => Promise<SyncResult>): Promise<SyncResult> {
  teller.ping('start', 'the walk begins');
  try {
    const result = await walk();
    const { id, state, requests, reason } = result.snapshot;
    const isWell = state === 'complete' && result.export.state !== 'failed';
    const why = result.export.state === 'failed' ? 'its export failed' : (reason ?? '');
    const text = `snapshot ${id} is ${state}, ${count(requests, 'request')}${isWell ? '' : `; ${why}`}`;
    teller.ping(isWell ? 'success' : 'failure', text);
    return result;
  } catch (error) {
    const { code, message } = toAppError(error);
    if (!isAbort(error)) teller.ping('failure', `${code}: ${message}`);
    throw error;
  }
}
