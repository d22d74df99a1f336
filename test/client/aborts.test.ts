import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Aborts } from '../../src/client/aborts.ts';

it('client/aborts knows many signals without a word of Node.js about a leak: it stood among the output of commands', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  using aborts = new Aborts();
  const controllers = Array.from({ length: 30 }, () => new AbortController());
  let ended = 0;
  for (const { signal } of controllers) aborts.on(signal, () => (ended += 1));
  await setImmediate();
  process.off('warning', note);
  expect(warnings).toEqual([]);
  for (const controller of controllers) controller.abort();
  expect(ended).toBe(30);
});

it('client/aborts lets go of what is over: each answer of a walk would stay in memory to its end', () => {
  using aborts = new Aborts();
  const walk = new AbortController();
  const called: string[] = [];
  const on = (name: string): number => aborts.on(walk.signal, () => void called.push(name));
  const over = on('over');
  aborts.off(walk.signal, over);
  expect(on('next')).toBe(over);
  on('last');
  walk.abort();
  expect(called).toEqual(['next', 'last']);
});
