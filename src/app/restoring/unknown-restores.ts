// Restores that left a folder and that the journal does not know: mirror.db is a copy that is older than they are.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, count, few } from '../../base/index.ts';
import { listRestores, mirrorIfThere } from '../../mirror/index.ts';
import type { Kit } from '../kit.ts';
import { restoresFolder } from '../places.ts';

const RESTORE = /^[A-Za-z0-9]{12}$/;
/** All that one leaves that ended before its first write. */
const BEFORE = 'before';
const SHOWN = 3;

/** In words; null where the journal knows all of them. */
export async function unknownRestores({ config, clock }: Pick<Kit, 'config' | 'clock'>): Promise<string | null> {
  const left = await leftIn(restoresFolder(config));
  using mirror = left.length === 0 ? null : mirrorIfThere({ dataDir: config.dataDir, clock });
  if (mirror === null) return null;
  const known = new Set(listRestores(mirror).map(({ id }) => id));
  const unknown = left.filter((id) => !known.has(id));
  if (unknown.length === 0) return null;
  return `the journal does not know ${count(unknown.length, 'restore')} that left a folder in restores/ (${few(unknown, SHOWN)}): mirror.db is older than they are, such as a copy that was put back, and what they made may come a second time`;
}

/** Ids of the restores that left a folder. */
async function leftIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const left: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !RESTORE.test(entry.name)) continue;
    if (await hasWritten(join(folder, entry.name))) left.push(entry.name);
  }
  return left;
}

/** True, too, where nobody can tell, as in a folder of another user: that is no reason to make no plan. */
async function hasWritten(restore: string): Promise<boolean> {
  try {
    return (await readdir(restore)).join(' ') !== BEFORE;
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}
