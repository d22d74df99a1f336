// What the daemon remembers on the disk, beside other processes that write there too.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../../src/base/index.ts';
import { openMemory, type Memory } from '../../src/daemon/index.ts';

let folder = '';
let said: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docmirror-memory-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, 'daemon.json');

function open(demandPlace?: () => void): Memory {
  const destination = { write: (line: string): void => void said.push((JSON.parse(line) as { msg: string }).msg) };
  return openMemory(file(), createLogger({ level: 'warn', pretty: false, destination }), demandPlace);
}

it('daemon/memory loses nothing that is set while the value before it is written', async () => {
  const memory = open();
  const first = memory.set('under way', 'drill');
  // The first one is on its way to the disk.
  await Promise.resolve();
  const second = memory.set('under way', null);
  await Promise.all([first, second]);
  expect(open().get('under way')).toBe(null);
});

it('daemon/memory makes the data directory, for this user alone, where the first walk failed before it did', async () => {
  const memory = openMemory(join(folder, 'data', 'daemon.json'), createLogger({ level: 'silent', pretty: false }));
  await memory.set('notices', 'told');
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
});

it('daemon/memory sees what another process has written since', async () => {
  const [daemon, byHand] = [open(), open()];
  await daemon.set('notices', 'first');
  await byHand.set('notices', 'second');
  expect(daemon.get('notices')).toBe('second');
});

it('daemon/memory knows what could not be written, says so, and writes it with the next: no night ends for it', async () => {
  let isThere = false;
  const memory = open(() => {
    if (!isThere) throw new Error('another disk is there');
  });
  await memory.set('notices', 'told');
  expect([memory.get('notices'), open().get('notices')]).toEqual(['told', undefined]);
  await memory.set('notices', 'told');
  // Once: it is tried several times for each job.
  expect(said).toEqual(['what the daemon remembers could not be written']);
  isThere = true;
  await memory.set('check part', 3);
  expect([open().get('notices'), open().get('check part')]).toEqual(['told', 3]);
  isThere = false;
  await memory.set('check part', 4);
  expect(said).toHaveLength(2);
});

it('daemon/memory says once that its file cannot be read, and again when that comes back; of a new one it says nothing', () => {
  const memory = open();
  const look = (): unknown => memory.get('notices');
  look();
  expect(said).toEqual([]);
  mkdirSync(file());
  for (const _ of [1, 2, 3]) look();
  expect(said).toEqual(['what the daemon remembered could not be read']);
  rmSync(file(), { recursive: true });
  writeFileSync(file(), '{"notices":"told"}');
  expect(look()).toBe('told');
  writeFileSync(file(), '{"notices"');
  look();
  expect(said).toHaveLength(2);
});

it('daemon/memory tells of a folder that was put away while it writes: that was called a fault in Docmirror', async () => {
  const codes: string[] = [];
  // Told of between the look at the folder and the write.
  writeFileSync(file(), '{"notices"');
  const destination = {
    write: (line: string): void => {
      codes.push((JSON.parse(line) as { err: { code?: string } }).err.code ?? '');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await openMemory(file(), createLogger({ level: 'warn', pretty: false, destination })).set('notices', 'told');
  expect(codes.at(-1)).toBe('DM_DATA_DIR_UNUSABLE');
});
