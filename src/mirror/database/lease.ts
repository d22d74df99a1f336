// One writer per data directory, freed with its process.
import { AppError, lockHolder, takeProcessLock, type ProcessLock } from '../../base/index.ts';

export type Lease = ProcessLock;

const NAME = 'lease';

/**
 * Takes the data directory for writing. Throws DM_DATA_DIR_LOCKED at once when another process holds it, naming the holder.
 * @param purpose What is being done, shown to whoever is refused: "sync".
 */
export function takeLease(dataDir: string, purpose: string): Promise<Lease> {
  const refusal = (holder: string): AppError =>
    new AppError('DM_DATA_DIR_LOCKED', `Another process holds ${dataDir}: ${holder}`, {
      hint: 'Wait until it ends, or use another --data-dir. Reading (query, snapshots, status) works meanwhile.',
    });
  return takeProcessLock({ folder: dataDir, name: NAME, holder: `${purpose}, process ${process.pid}`, refusal });
}

/** Who holds the data directory now; null when nobody does. Writes nothing. */
export function holderOf(dataDir: string): string | null {
  return lockHolder({ folder: dataDir, name: NAME });
}
