import { openMirror, readMirror, takeLease, type Mirror } from '../mirror/index.ts';
import type { Kit } from './kit.ts';
import { dropTargets } from './restoring/left-targets.ts';

/** Opens the mirror of the data directory for writing; the caller holds its lease. */
export function openOwnMirror({ config, clock, log }: Pick<Kit, 'config' | 'clock' | 'log'>): Promise<Mirror> {
  return openMirror({ dataDir: config.dataDir, clock, log });
}

/** Works on a mirror that is there, under its lease. `purpose` is what others who want the lease are told. Throws DM_NO_SNAPSHOT, DM_DATA_DIR_LOCKED. */
export async function inOwnMirror<T>(kit: Kit, purpose: string, work: (mirror: Mirror) => T | Promise<T>): Promise<T> {
  demandMirror(kit);
  using _lease = await takeLease(kit.config.dataDir, purpose);
  await dropTargets(kit);
  using mirror = await openOwnMirror(kit);
  return await work(mirror);
}

/** Before anything is made there, such as the file of the lease: the directory may be mistyped. */
function demandMirror({ config, clock }: Kit): void {
  readMirror({ dataDir: config.dataDir, clock })[Symbol.dispose]();
}
