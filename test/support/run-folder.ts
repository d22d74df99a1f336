// Folders of one test run, below the libraries that what lies in them asks for.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/index.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const PREFIX = 'docmirror-';
// No run takes so long.
const DAY_MS = 86_400_000;

/** Makes one, for the run to remove at its end; what runs that were killed have left there for a day is removed. */
export function runFolder(name: string, cache = CACHE): string {
  mkdirSync(cache, { recursive: true });
  for (const left of readdirSync(cache))
    if (left.startsWith(PREFIX) && isOld(join(cache, left)))
      rmSync(join(cache, left), { recursive: true, force: true });
  return mkdtempSync(join(cache, `${PREFIX}${name}-`));
}

function isOld(folder: string): boolean {
  // Another run may remove it at this moment.
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs < systemClock().now() - DAY_MS;
}
