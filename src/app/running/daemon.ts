// One process that stays up for a data directory: its schedule and its status page.
import type { Mutex, ProcessLock } from '../../base/index.ts';
import { openMemory } from '../../daemon/index.ts';
import type { Kit } from '../kit.ts';
import { memoryFile } from '../places.ts';
import { demandPlace } from './one-process.ts';
import { notePort } from './probe.ts';
import { Schedule } from './schedule.ts';
import { openStatusPage } from './status-page.ts';

/** The status page, and the schedule once it is run. Disposing ends the status page and frees the lock. */
export interface RunningDaemon
  extends Pick<Schedule, 'sync' | 'run' | 'endAfterJob' | 'state' | 'idle' | 'reload'>, AsyncDisposable {
  /** Address of the status page. */
  readonly url: string;
}

/** Opens the status page, for whoever holds the daemon's lock. Heavy jobs take turns with those of other daemons. Throws DM_PORT_IN_USE when its address is taken. */
export async function openDaemon(kit: Kit, lock: ProcessLock, heavy: Mutex): Promise<RunningDaemon> {
  const demandHere = (): void => demandPlace(lock, kit);
  const memory = openMemory(memoryFile(kit.config), kit.log, demandHere);
  const schedule = new Schedule({ kit, memory, heavy, demandPlace: demandHere });
  const page = await openStatusPage(kit, { live: () => schedule.state(), retention: () => schedule.retention() });
  await notePort(memory, page.url);
  return {
    url: page.url,
    sync: (options) => schedule.sync(options),
    run: (signal) => schedule.run(signal),
    endAfterJob: () => schedule.endAfterJob(),
    state: () => schedule.state(),
    idle: () => schedule.idle(),
    reload: (config) => schedule.reload(config),
    [Symbol.asyncDispose]: async () => {
      await page[Symbol.asyncDispose]();
      await schedule[Symbol.asyncDispose]();
      lock[Symbol.dispose]();
    },
  };
}
