// What a platform downloads for an import: more than a little is not held.
import { readdir, stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { takeDownload } from '../../src/platform/import/download.ts';
import { ImportRefused, readImport } from '../../src/platform/import/index.ts';
import { systemClock } from '../../src/base/index.ts';
import { testFolder } from '../support/cli.ts';
import { serve } from '../support/served.ts';

const MEBIBYTE = 1024 * 1024;

it('platform/import reads a large archive from a file that is gone with the process: a drill of a space with 600 MB of files took 730 MB of memory', async () => {
  using folder = testFolder();
  const path = folder.at('large');
  const chunks = Array.from({ length: 6 }, (_, index) => Buffer.alloc(MEBIBYTE, index));
  const stood: (readonly string[])[] = [];
  const coming = async function* () {
    for (const chunk of chunks) {
      yield chunk;
      stood.push(await readdir(folder.path));
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  };
  using download = await takeDownload(coming(), path);
  expect(stood).toEqual([[], [], [], [], ['large'], ['large']]);
  expect(await readdir(folder.path)).toEqual([]);
  expect(download.size).toBe(6 * MEBIBYTE);
  for (const [index, chunk] of chunks.entries()) expect(download.read(index * MEBIBYTE, MEBIBYTE)).toEqual(chunk);
  expect(download.read(MEBIBYTE - 1, 2)).toEqual(Buffer.from([0, 1]));
  expect(() => download.read(6 * MEBIBYTE - 1, 2)).toThrow('it ends after 1 of 2 bytes');
});

it('platform/import leaves no file of a download that was cut off', async () => {
  using folder = testFolder();
  const coming = async function* () {
    yield Buffer.alloc(5 * MEBIBYTE);
    await Promise.reject(new Error('cut off'));
  };
  await expect(takeDownload(coming(), folder.at('large'))).rejects.toThrow('cut off');
  expect(await readdir(folder.path)).toEqual([]);
});

it('platform/import holds what it downloads where all of the platform is in memory', async () => {
  const coming = async function* () {
    yield* await Promise.resolve([Buffer.alloc(5 * MEBIBYTE, 1), Buffer.from('end')]);
  };
  using download = await takeDownload(coming(), undefined);
  expect(download.read(5 * MEBIBYTE - 1, 4).toString('latin1')).toBe('\u0001end');
});

it('platform/import does not say of a source that it cannot be read where this machine has no room for it: a drill then divided what it sent, and told of differences', async () => {
  using folder = testFolder();
  const url = await serve((_request, response) => response.end(Buffer.alloc(5 * MEBIBYTE)));
  const spool = folder.at('missing', 'large');
  const request = { url, source: 'zip', clock: systemClock(), allowedHosts: [], spool };
  const failure = await readImport(request).catch((error: unknown) => error);
  expect(failure).not.toBeInstanceOf(ImportRefused);
  expect(failure).toMatchObject({
    message: expect.stringMatching(/^what is downloaded cannot be kept: ENOENT/) as string,
  });
});
