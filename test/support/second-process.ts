// What a process is told that finds another one in its place.
import { expect } from 'vitest';
import type { Ended } from './cli.ts';

/** Of an expression: the instant since when the other one runs. */
export const SINCE = String.raw`since 20\d\d-\d\d-\d\dT[\d:.]+Z`;

/** It ended at once, and named the one that runs. */
export function expectRefused({ code, stdout, stderr }: Ended, holder: RegExp): void {
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('DM_ALREADY_RUNNING');
  expect(stderr).toMatch(holder);
  expect(stderr).toContain('end it first');
}
