// What a thread of its own runs: it writes one batch of files after the other.
import { parentPort } from 'node:worker_threads';
import { writeFiles, type Batch, type Landed } from './write-files.ts';

/** That it can take batches, once. */
interface Ready {
  readonly isReady: true;
}

/** What became of a batch, with its bytes to be filled again; or what the system said when it refused. */
type Written = { readonly landed: Landed; readonly bytes: Uint8Array } | { readonly failed: SystemFailure };

/** What the thread tells. */
export type WriteTold = Ready | Written;

/** An error of the system; one that is sent to another thread loses its code and its path. */
export interface SystemFailure {
  readonly message: string;
  readonly code: string | undefined;
  readonly path: string | undefined;
}

parentPort?.on('message', (batch: Batch) => {
  parentPort?.postMessage(write(batch), [batch.bytes.buffer as ArrayBuffer]);
});
parentPort?.postMessage({ isReady: true } satisfies Ready);

function write(batch: Batch): Written {
  try {
    return { landed: writeFiles(batch), bytes: batch.bytes };
  } catch (error) {
    const { message, code, path } = error as NodeJS.ErrnoException;
    return { failed: { message, code, path } };
  }
}
