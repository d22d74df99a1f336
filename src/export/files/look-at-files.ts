import { lstatSync, type Stats } from 'node:fs';
import { sep } from 'node:path';
import { codeOf } from '../../base/index.ts';

/** Size and time of the last change in ms of each file, in the order of the paths; NaN for what is not there, or is no file: a link is none. */
export type Seen = Float64Array;

/** Looks at files below a folder. Throws what the system says. */
export function lookAtFiles(folder: string, paths: readonly string[]): Seen {
  const seen = new Float64Array(2 * paths.length).fill(NaN);
  for (const [index, path] of paths.entries()) {
    // Joined by hand: this is asked of every file every night, and `join` takes a tenth of it.
    const found = lookAt(folder + sep + path);
    if (found?.isFile() !== true) continue;
    seen[2 * index] = found.size;
    seen[2 * index + 1] = found.mtimeMs;
  }
  return seen;
}

/** Below what somebody has put where a folder was, there is nothing either. */
function lookAt(place: string): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
