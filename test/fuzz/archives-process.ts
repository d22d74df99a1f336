// Reads archives that are made to fill memory, in a process of its own, and prints as JSON how each ended and the most memory it took.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/base/index.ts';
import { ImportRefused, readImport } from '../../src/platform/import/index.ts';
import { bombs, hostileDocuments } from './hostile-archives.ts';

const all = [
  ...(await bombs()).map(([name, bytes]) => ({ name, bytes, source: 'zip' })),
  ...(await hostileDocuments()).map(([name, bytes]) => ({ name, bytes, source: 'docx' })),
];
let current: Buffer = Buffer.alloc(0);
const server = createServer((_, response) => void response.end(current));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function read(source: string): Promise<string> {
  try {
    const { imported, total } = await readImport({ url, source, clock: systemClock(), allowedHosts: [] });
    return `${imported} of ${total}`;
  } catch (error) {
    if (error instanceof ImportRefused) return 'refused';
    throw error;
  }
}

const before = process.resourceUsage().maxRSS;
const ends: Record<string, string> = {};
for (const { name, bytes, source } of all) {
  current = bytes;
  ends[`${source}: ${name}`] = await read(source);
}
const grown = process.resourceUsage().maxRSS - before;
process.stdout.write(JSON.stringify({ ends, grownMebibytes: Math.round(grown / 1024) }));
process.exit(0);
