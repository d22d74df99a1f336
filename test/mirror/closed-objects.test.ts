// Objects that a command of another user, such as root, has left.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { createObjectStore } from '../../src/mirror/bodies/objects.ts';
import { testFolder } from '../support/cli.ts';

const NOBODY_ID = 65_534;
const isRoot = process.geteuid?.() === 0;

/** What root is allowed shows nothing of what others are refused. */
function asNobody<T>(work: () => T): T {
  if (isRoot) process.seteuid?.(NOBODY_ID);
  try {
    return work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

it('mirror/bodies/objects calls none missing that is closed to this user: a drill said that the archive was damaged, and to read all again', () => {
  using folder = testFolder();
  for (const above of [folder.path, dirname(folder.path)]) chmodSync(above, 0o711);
  const objects = createObjectStore(folder.path);
  const [closed, missing] = [`ab${'0'.repeat(62)}`, `cd${'0'.repeat(62)}`];
  mkdirSync(folder.at('ab'));
  writeFileSync(objects.pathOf(closed), 'bytes');
  expect([objects.has(closed), objects.has(missing)]).toEqual([true, false]);
  chmodSync(folder.at('ab'), 0);
  expect(() => asNobody(() => objects.has(closed))).toThrow('EACCES');
  expect(asNobody(() => objects.has(missing))).toBe(false);
  chmodSync(folder.at('ab'), 0o700);
});
