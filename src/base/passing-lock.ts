// One process at a time where nothing may be left lying: the file of the lock goes with it. The system frees it with the process, so a
// file that a kill left is taken over by the next one.
import { rmSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { ensurePrivateFile } from './files.ts';
import { heldFile } from './process-lock.ts';

// Nothing is written to it, so that it can be held on a full disk too.
const AS_IT_IS = 'begin exclusive';

/** Holds the file until it is disposed of, which removes it; null when somebody else holds it. */
export function takePassingLock(file: string): Disposable | null {
  for (;;) {
    ensurePrivateFile(file);
    const seen = inodeOf(file);
    const lock = heldFile(file, AS_IT_IS);
    if (lock === null) return null;
    // Else whoever held it has taken the file away between the look at it and the lock: this one is of no name any more.
    if (seen !== undefined && seen === inodeOf(file)) return { [Symbol.dispose]: () => letGo(file, lock) };
    lock.close();
  }
}

/** In this order: whoever waits for the file finds, once it has it, that it is not the one of that name any more. */
function letGo(file: string, lock: Database.Database): void {
  rmSync(file, { force: true });
  lock.close();
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}
