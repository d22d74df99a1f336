import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { createMutex } from '../../src/base/index.ts';

it('base/mutex leaves nothing on the signal of who waited: a daemon was warned of a leak after ten drills', async () => {
  const [mutex, { signal }] = [createMutex(), new AbortController()];
  const during: number[] = [];
  const work = async (): Promise<void> => void during.push(getEventListeners(signal, 'abort').length);
  await Promise.all([mutex.hold(signal, work), mutex.hold(signal, work), mutex.hold(signal, work)]);
  expect([during.at(-1), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
});
