// What a thread of its own runs: it writes one batch of files after the other.
import { parentPort } from 'node:worker_threads';
import { writeFiles, type Batch } from './write-files.ts';

/** Times on disk in the order of the batch, with its bytes to be filled again; or what the system said when it refused. */
export type Written = { readonly times: Float64Array; readonly bytes: Uint8Array } | { readonly failed: SystemFailure };

/** An error of the system; one that is sent to another thread loses its code. */
export interface SystemFailure {
  readonly message: string;
  readonly code: string | undefined;
}

parentPort?.on('message', (batch: Batch) => {
  parentPort?.postMessage(write(batch), [batch.bytes.buffer as ArrayBuffer]);
});

function write(batch: Batch): Written {
  try {
    return { times: writeFiles(batch), bytes: batch.bytes };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { failed: { message, code } };
  }
}
