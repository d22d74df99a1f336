// Whether the file of the database is whole in itself. SQLite reads all of it in one go, which takes seconds where it is large: a
// thread does it then, and others have their turn meanwhile.
import { beginThread, threadProgram } from '../base/index.ts';
import { databasePath, type Mirror } from './database.ts';
import { structureIn } from './structure-in.ts';
import type { Structure } from './structure-thread.ts';

// Read through within the time that a thread takes to begin.
const SMALL_BYTES = 64 * 1024 * 1024;

export interface StructureOptions {
  readonly smallBytes?: number;
  readonly program?: URL;
}

/** What SQLite finds wrong, in its words; empty when nothing is. A thread only spares others the wait: what it does not answer is asked here. */
export async function structureOf(
  { store, dataDir }: Mirror,
  options: StructureOptions = {},
): Promise<readonly string[]> {
  const { smallBytes = SMALL_BYTES, program = threadProgram('mirror/structure-thread') } = options;
  const { driver } = store;
  const [pages, size] = ['page_count', 'page_size'].map((name) => Number(driver.pragma(name, { simple: true })));
  const isSmall = (pages ?? 0) * (size ?? 0) < smallBytes;
  return (isSmall ? null : await inThread(program, databasePath(dataDir))) ?? structureIn(driver);
}

function inThread(program: URL, path: string): Promise<Structure> {
  return new Promise((resolve) => {
    try {
      const thread = beginThread(program);
      thread.once('message', resolve);
      for (const end of ['error', 'exit']) thread.once(end, () => resolve(null));
      thread.postMessage(path);
    } catch {
      resolve(null);
    }
  });
}
