// What only one process at a time may run: the daemon of a data directory, the embedded platform of a folder.
import { AppError, isoTime, lockHolder, takeProcessLock, type ProcessLock } from '../../base/index.ts';
import { inDataDirectory } from '../../config/index.ts';
import type { Kit } from '../kit.ts';

const DAEMON = 'daemon';

/** Who is the daemon of the data directory now; null when nobody is. Writes nothing. */
export function daemonOf(dataDir: string): string | null {
  return lockHolder({ folder: dataDir, name: DAEMON });
}

/**
 * Makes this process the daemon of the data directory. Throws DM_ALREADY_RUNNING, with nothing changed, while another one is.
 * @param purpose The command, shown to whoever is refused.
 */
export function lockDaemon({ config, clock }: Kit, purpose: 'daemon' | 'start'): Promise<ProcessLock> {
  const folder = config.dataDir;
  const refusal = (holder: string): AppError =>
    alreadyRunning(
      `A daemon of ${folder} runs already (${holder}); expected one for each data directory`,
      'Use that one, or end it first; for a second one give another --data-dir. Other commands (sync, query, status) work beside it.',
    );
  const holder = holderNow(purpose, clock.now());
  return inDataDirectory(config, () => takeProcessLock({ folder, name: DAEMON, holder, refusal }));
}

/**
 * Throws DM_DATA_DIR_UNUSABLE where the data directory is no more the one that the daemon was begun in: a walk would begin a new
 * mirror in what is there now, such as the empty folder below a disk that was unmounted, and say that all is well.
 */
export function demandPlace(lock: ProcessLock, { config }: Kit): void {
  if (lock.isInPlace()) return;
  const folder = config.dataDir;
  throw new AppError('DM_DATA_DIR_UNUSABLE', `${folder} is not what it was when this daemon began: its lock is gone`, {
    hint: 'Put back what was there (is its disk mounted?), or restart the daemon to work on what is there now.',
  });
}

/** Makes this process the one that runs the platform of a folder. Throws DM_ALREADY_RUNNING, with nothing changed. */
export function lockPlatform({ clock }: Kit, folder: string, purpose: 'platform' | 'start'): Promise<ProcessLock> {
  return takeProcessLock({
    folder,
    // Not "platform": platform.db is the platform's own.
    name: 'running',
    holder: holderNow(purpose, clock.now()),
    refusal: (holder) =>
      alreadyRunning(
        `The embedded platform of ${folder} runs already (${holder}); expected one process for each folder`,
        'Use that one, or end it first; for a second one give another folder: platform --data DIR, or start --data-dir DIR.',
      ),
  });
}

function holderNow(purpose: string, now: number): string {
  return `${purpose}, process ${process.pid}, since ${isoTime(now)}`;
}

function alreadyRunning(message: string, hint: string): AppError {
  return new AppError('DM_ALREADY_RUNNING', message, { hint });
}
