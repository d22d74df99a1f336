// A drill is not to fail for a limit of the platform that it makes for itself.
import { expect, it } from 'vitest';
import { largestObject } from '../../src/mirror/index.ts';
import { limitsFor } from '../../src/platform/import/index.ts';
import { DEFAULT_LIMITS } from '../../src/platform/import/limits.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const MEBIBYTE = 1024 * 1024;

it('platform/import takes the largest file of the mirror in a drill: none passed where one had more than 256 MiB', async () => {
  using world = await createTestMirror();
  expect(largestObject(world.mirror)).toBe(0);
  const files = [300, 7].map((size) => ({ id: `f${size}`, name: `${size}.bin`, bytes: Buffer.alloc(size, size) }));
  await world.add({ spaces: [{ id: 's1', title: 'Space', pages: [], files }] });
  const largest = largestObject(world.mirror) * MEBIBYTE;
  expect(largest).toBe(300 * MEBIBYTE);
  expect(limitsFor(largest).downloadBytes).toBeGreaterThan(largest);
  expect(limitsFor(5 * largest).unpackedBytes).toBeGreaterThan(5 * largest);
});

it('platform/import keeps its usual limits where no file is larger', () => {
  const { downloadBytes, unpackedBytes } = DEFAULT_LIMITS;
  expect(limitsFor(0)).toEqual({ downloadBytes, unpackedBytes });
});
