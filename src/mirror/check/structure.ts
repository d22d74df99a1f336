// Whether the file of the database is whole in itself. SQLite reads all of it in one go, which takes seconds where it is large, and
// nothing ends it within its process: one of its own does it then, so that others have their turn meanwhile and it can be called off.
import { fork } from 'node:child_process';
import { builtProgram, forProgram, readEnvironment } from '../../base/index.ts';
import { databasePath, type Mirror } from '../database/database.ts';
import { structureIn } from './structure-in.ts';
import type { Structure } from './structure-process.ts';

// Read through within the time that a process takes to begin.
const SMALL_BYTES = 64 * 1024 * 1024;

export interface StructureOptions {
  readonly smallBytes?: number;
  readonly program?: URL;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What SQLite finds wrong, in its words; empty when nothing is. A process of its own only spares others the wait: what it does not
 * answer is asked here. Throws the signal's reason when it is called off.
 */
export async function structureOf(
  { store, dataDir }: Mirror,
  options: StructureOptions = {},
): Promise<readonly string[]> {
  const { smallBytes = SMALL_BYTES, program = builtProgram('mirror/check/structure-process'), signal } = options;
  const { driver } = store;
  const [pages, size] = ['page_count', 'page_size'].map((name) => Number(driver.pragma(name, { simple: true })));
  const isSmall = (pages ?? 0) * (size ?? 0) < smallBytes;
  const found = isSmall ? null : await inProcess(program, { path: databasePath(dataDir), signal });
  signal?.throwIfAborted();
  return found ?? structureIn(driver);
}

interface Look {
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

function inProcess(program: URL, { path, signal }: Look): Promise<Structure> {
  return new Promise((resolve) => {
    try {
      const child = fork(program, [path], {
        execArgv: [],
        env: forProgram(readEnvironment()),
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        // A Ctrl-C is for us to hear: ended by it, this would look like one that could not answer.
        detached: true,
        killSignal: 'SIGKILL',
        ...(signal ? { signal } : {}),
      });
      child.once('message', (found: Structure) => resolve(found));
      for (const end of ['error', 'close']) child.once(end, () => resolve(null));
    } catch {
      resolve(null);
    }
  });
}
