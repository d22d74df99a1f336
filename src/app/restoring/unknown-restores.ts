// Restores that left a folder and that the journal does not know: mirror.db is a copy that is older than they are.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { count, few } from '../../base/index.ts';
import { listRestores, mirrorIfThere } from '../../mirror/index.ts';
import type { Kit } from '../kit.ts';
import { restoresFolder } from '../places.ts';

const RESTORE = /^[A-Za-z0-9]{12}$/;
/** All that one leaves that ended before its first write. */
const BEFORE = 'before';
const SHOWN = 3;

/** In words; null where the journal knows all of them. */
export async function unknownRestores({ config, clock }: Kit): Promise<string | null> {
  using mirror = mirrorIfThere({ dataDir: config.dataDir, clock });
  if (mirror === null) return null;
  const folder = restoresFolder(config);
  if (!existsSync(folder)) return null;
  const known = new Set(listRestores(mirror).map(({ id }) => id));
  const unknown: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !RESTORE.test(entry.name) || known.has(entry.name)) continue;
    if ((await readdir(join(folder, entry.name))).join(' ') !== BEFORE) unknown.push(entry.name);
  }
  if (unknown.length === 0) return null;
  return `the journal does not know ${count(unknown.length, 'restore')} that left a folder in restores/ (${few(unknown, SHOWN)}): mirror.db is older than they are, such as a copy that was put back, and what they made may come a second time`;
}
