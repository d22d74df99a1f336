import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { createMutex, endOfTurn } from '../../src/base/index.ts';

it('base/mutex leaves nothing on the signal of who waited: a daemon was warned of a leak after ten drills', async () => {
  const [mutex, { signal }] = [createMutex(), new AbortController()];
  const during: number[] = [];
  const work = async (): Promise<void> => void during.push(getEventListeners(signal, 'abort').length);
  await Promise.all([mutex.hold(signal, work), mutex.hold(signal, work), mutex.hold(signal, work)]);
  expect([during.at(-1), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
});

it('base/mutex lets nobody past work under way for one who waited and was called off', async () => {
  const mutex = createMutex();
  const [stays, goes] = [new AbortController().signal, new AbortController()];
  let end = (): void => undefined;
  const first = mutex.hold(stays, () => new Promise<void>((resolve) => (end = resolve)));
  const early = mutex.hold(goes.signal, () => Promise.resolve('never'));
  let isBegun = false;
  const last = mutex.hold(stays, () => Promise.resolve((isBegun = true)));
  goes.abort(new Error('enough'));
  await expect(early).rejects.toThrow('enough');
  await endOfTurn();
  expect(isBegun).toBe(false);
  end();
  await Promise.all([first, last]);
  expect(isBegun).toBe(true);
});
