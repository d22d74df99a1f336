// What a command of another user, such as root, has left in a folder: whoever works there next may not open it.
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from './error-code.ts';

const { R_OK, W_OK, X_OK } = constants;

/** Names of what stands in a folder, and is not this user's to read and write; empty where there is no such folder. */
export function closedIn(folder: string): string[] {
  return namesIn(folder).filter((name) => isClosed(path.join(folder, name)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' || isOfNoRight(error)) return [];
    throw error;
  }
}

function isClosed(place: string): boolean {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return false;
  try {
    accessSync(place, found.isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK);
    return false;
  } catch (error) {
    return isOfNoRight(error);
  }
}

function isOfNoRight(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EACCES' || code === 'EPERM';
}
