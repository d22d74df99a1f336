// Folders of one test run, below the libraries that what lies in them asks for.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const PREFIX = 'docmirror-';
// No run takes so long.
const DAY_MS = 86_400_000;

/** Makes one, for the run to remove at its end; what runs that were killed have left there for a day is removed. */
export function runFolder(name: string, cache = CACHE): string {
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, `${PREFIX}${name}-`));
  const { mtimeMs: now } = statSync(made);
  for (const left of readdirSync(cache))
    if (left.startsWith(PREFIX) && madeAt(join(cache, left)) < now - DAY_MS)
      rmSync(join(cache, left), { recursive: true, force: true });
  return made;
}

function madeAt(folder: string): number {
  // Another run may remove it at this moment.
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}
