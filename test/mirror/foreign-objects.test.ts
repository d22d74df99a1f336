// A mirror that somebody else has made, or changed, names files outside of it as its own, and holds texts that are larger than memory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { manualClock, silentLogger } from '../../src/base/index.ts';
import { exportSnapshot } from '../../src/export/index.ts';
import { decompress } from '../../src/mirror/bodies/compress.ts';
import { noRuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

/** So many mebibytes of nothing, packed in pieces that follow each other. */
function packed(mebibytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([Buffer.of(0), ...Array.from({ length: mebibytes }, () => piece), Buffer.of(3, 0)]);
}

describe('mirror/texts of a foreign mirror', () => {
  it('are unpacked up to what a text can be: a megabyte of them filled gigabytes of memory', () => {
    expect(decompress(packed(16), null)).toHaveLength(16 * 1024 * 1024);
    const failure = expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }) as Error;
    expect(() => decompress(packed(600), null)).toThrow(failure);
  });
});

describe('mirror/objects of a foreign mirror', () => {
  it('shows no file of this machine: whoever handed over a mirror could have one served', async () => {
    using test = await createTestMirror();
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    writeFileSync(join(elsewhere, 'key'), 'secret');
    const snapshot = await test.add({
      spaces: [{ id: 's', title: 'S', files: [{ id: 'f', name: 'a.png', bytes: 'x' }] }],
    });
    const root = join(test.dataDir, 'objects');
    const led = join(relative(root, elsewhere), 'key');
    test.mirror.store.driver.pragma('foreign_keys = off');
    test.mirror.store.driver.prepare('update versions set object = ? where object is not null').run(led);
    const { objects } = test.mirror;
    expect([led, join(elsewhere, 'key'), 'a\0b', ''].map((name) => [objects.has(name), objects.sizeOf(name)])).toEqual(
      Array.from({ length: 4 }, () => [false, null]),
    );
    for (const name of [led, join(elsewhere, 'key')])
      expect(() => objects.pathOf(name)).toThrow(expect.objectContaining({ code: 'DM_PATH_OUTSIDE' }));
    const base = { dataDir: test.dataDir, clock: manualClock(0), log: silentLogger(), live: () => noRuntimeState };
    const app = createStatusApp({ ...base, freshness: { snapshotMs: 1, drillMs: 1 } });
    const answer = await app.request('/browse/spaces/s/files/f');
    expect([answer.status, (await answer.text()).includes('secret')]).toEqual([404, false]);
    const to = join(elsewhere, basename(test.dataDir));
    await expect(exportSnapshot({ mirror: test.mirror, snapshot, to })).rejects.toMatchObject({
      code: 'DM_CHECK_FAILED',
    });
  });
});
