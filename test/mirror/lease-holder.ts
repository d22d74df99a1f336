// A program of its own for the lease test: takes the data directory and stays, until it is killed.
import { takeLease } from '../../src/mirror/index.ts';

const [, , dataDir = ''] = process.argv;
const lease = await takeLease(dataDir, 'sync');
process.stdout.write(`${lease.holder}\n`);
process.stdin.resume();
