// A program of its own for the lease tests: takes the data directory and stays, until it is killed. For each line that it is sent, it
// pins the snapshot of that number, or writes in a transaction, and answers `done` or the code of the error.
import { createInterface } from 'node:readline';
import { systemClock, toAppError } from '../../src/base/index.ts';
import { notePromise, openMirror, pinSnapshot, takeLease } from '../../src/mirror/index.ts';

const [, , dataDir = ''] = process.argv;
const lease = await takeLease(dataDir, 'sync');
const mirror = await openMirror({ dataDir, clock: systemClock() });
process.stdout.write(`${lease.holder}\n`);
for await (const line of createInterface(process.stdin)) {
  try {
    if (line === 'transaction') mirror.store.transaction(() => notePromise(mirror, 4711));
    else pinSnapshot(mirror, Number(line), 'by the holder');
    process.stdout.write('done\n');
  } catch (error) {
    process.stdout.write(`${toAppError(error).code}\n`);
  }
}
