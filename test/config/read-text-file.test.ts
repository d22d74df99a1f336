import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readTextFile } from '../../src/config/read-text-file.ts';

function pipe(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docmirror-pipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secret');
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  return path;
}

it('config: a pipe that nobody writes into is an error: it was waited for without end, and no signal was heard', () => {
  const path = pipe();
  expect(() => readTextFile(path, { patienceMs: 30 })).toThrow(/The pipe .*secret gave nothing more for 0\.03 s/);
});

it('config: a secret that comes through a pipe is read to its end, however late and in how many parts', () => {
  const path = pipe();
  const writer = spawn('sh', ['-c', `{ printf abc; sleep 0.1; printf def; } > "${path}"`]);
  onTestFinished(() => void writer.kill());
  expect(readTextFile(path)).toBe('abcdef');
});

it('config: a file that is not there is none, as is one below a file', () => {
  const path = pipe();
  writeFileSync(`${path}.txt`, 'words');
  expect([readTextFile(`${path}.none`), readTextFile(`${path}.txt/none`)]).toEqual([null, null]);
  expect(readTextFile(`${path}.txt`)).toBe('words');
});
