// What a thread of its own runs: it looks at one list of files after the other.
import { parentPort } from 'node:worker_threads';
import { lookAtFiles, type Seen } from './look-at-files.ts';

export interface Look {
  readonly folder: string;
  readonly paths: readonly string[];
}

/** That it can take lists, once; then what it saw, or null where the system refused: whoever asked will see why. */
export type LookTold = 'ready' | Seen | null;

parentPort?.on('message', (look: Look) => {
  const seen = tryLook(look);
  parentPort?.postMessage(seen satisfies LookTold, seen === null ? [] : [seen.buffer as ArrayBuffer]);
});
parentPort?.postMessage('ready' satisfies LookTold);

function tryLook({ folder, paths }: Look): Seen | null {
  try {
    return lookAtFiles(folder, paths);
  } catch {
    return null;
  }
}
