// One walk, with what belongs around it: pings, and messages when something is wrong.
import { count, isAbort, toAppError } from '../../base/index.ts';
import { openMemory } from '../../daemon/index.ts';
import type { JobState } from '../../status/index.ts';
import type { Kit } from '../kit.ts';
import { memoryFile } from '../places.ts';
import { sync, type SyncOptions, type SyncResult } from '../sync.ts';
import { Teller } from './tell.ts';

export interface SyncAndTellOptions extends SyncOptions {
  /** Is told what a channel did not take, and why; the log is when absent. */
  readonly onUnsent?: (channel: string, why: string) => void;
}

// A person may wait for the end of this process, and what reached nobody is sent again with the next walk.
const LAST_TRIES_MS = 10_000;

/** A walk that a scheduler of somebody else begins is told of as one of the daemon is. */
export async function syncAndTell(kit: Kit, options: SyncAndTellOptions): Promise<SyncResult> {
  const { clock, config, log, watch } = kit;
  const { onUnsent, signal } = options;
  const [begun, since] = [clock.now(), clock.monotonic()];
  let failure: JobState['failure'] = null;
  const job = (): JobState => ({
    name: 'sync',
    running: false,
    next: null,
    failure,
    last: { at: begun, ms: clock.monotonic() - since },
  });
  await using teller = new Teller({
    kit: () => kit,
    memory: openMemory(memoryFile(config), log),
    jobs: () => [job()],
    ...(onUnsent ? { onUnsent } : {}),
  });
  try {
    return await pinged(teller, (onBegin) => sync(kit, { ...options, onBegin }));
  } catch (error) {
    const { code, message, hint } = toAppError(error);
    if (!isAbort(error)) failure = { at: clock.now(), code, message, hint };
    throw error;
  } finally {
    watch?.idle?.();
    teller.look();
    // Who has interrupted the walk waits for no more than the teller's last words.
    if (!signal.aborted) await teller.finish(LAST_TRIES_MS, signal);
  }
}

/**
 * Tells the dead-man switch of the walk's begin and end. One that is interrupted has no end yet; of one that is held back, another tells.
 * One that does not begin, since another process holds the data directory, is no walk: what comes of it instead, or that nothing does,
 * the switch learns otherwise.
 */
export async function pinged(
  teller: Teller,
  walk: (onBegin: () => void) => Promise<SyncResult>,
  isHeldBack: (result: SyncResult, text: string) => boolean = () => false,
): Promise<SyncResult> {
  let isBegun = false;
  const onBegin = (): void => {
    isBegun = true;
    teller.ping('start', 'the walk begins');
  };
  try {
    const result = await walk(onBegin);
    const { id, state, requests, reason } = result.snapshot;
    const isWell = result.isSound && result.export.state !== 'failed';
    const why = result.export.state === 'failed' ? 'its export failed' : (reason ?? '');
    const text = `snapshot ${id} is ${state}, ${count(requests, 'request')}${isWell ? '' : `; ${why}`}`;
    if (!isHeldBack(result, text)) teller.ping(isWell ? 'success' : 'failure', text);
    return result;
  } catch (error) {
    const { code, message } = toAppError(error);
    const isRefused = code === 'DM_DATA_DIR_LOCKED' && !isBegun;
    if (isAbort(error) || isRefused) throw error;
    if (!isBegun) onBegin();
    teller.ping('failure', `${code}: ${message}`);
    throw error;
  }
}
