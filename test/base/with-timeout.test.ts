import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { manualClock, withTimeout } from '../../src/base/index.ts';

const never = (): Promise<never> => new Promise(() => undefined);

it('base/within gives what the work gives, and leaves no timer', async () => {
  const clock = manualClock();
  const signal = new AbortController().signal;
  expect(await withTimeout({ clock, ms: 1000, signal }, () => Promise.resolve(7))).toBe(7);
  expect(clock.pending()).toBe(0);
});

it('base/within ends in time with work that listens to no signal', async () => {
  const clock = manualClock();
  const ended = expect(
    withTimeout({ clock, ms: 1000, signal: new AbortController().signal }, never),
  ).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  await clock.advance(1000);
  await ended;
});

it('base/within ends at once with the reason of an interruption', async () => {
  const interrupt = new AbortController();
  const ended = withTimeout({ clock: manualClock(), ms: 1000, signal: interrupt.signal }, never);
  interrupt.abort(new Error('enough'));
  await expect(ended).rejects.toThrow('enough');
});

it('base/within leaves nothing on the signal that it was handed: each message of a daemon kept two kilobytes there until its end', async () => {
  const { signal } = new AbortController();
  let handed: AbortSignal | null = null;
  await withTimeout({ clock: manualClock(), ms: 1000, signal }, (either) => {
    handed = either;
    return Promise.resolve();
  });
  expect(handed).not.toBeNull();
  expect(getEventListeners(handed ?? signal, 'abort')).toEqual([]);
});
