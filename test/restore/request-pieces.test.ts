import { expect, it } from 'vitest';
import type { Pieces } from '../../src/base/index.ts';
import { readerAt } from '../../src/mirror/index.ts';
import { countChanged, leftBehind } from '../../src/restore/special/change-request-pages.ts';
import { createTestMirror, type PageSpec } from '../support/mirror-builder.ts';

const AMOUNT = 450;

function pages(from: number, edited?: number): PageSpec[] {
  return Array.from({ length: AMOUNT }, (_, index) => {
    const number = index + from;
    return { id: `p${number}`, title: `Page ${number}`, text: number === edited ? 'Other words' : 'Words' };
  });
}

/** What it gives, and how often others had their turn. */
function taken<T>(pieces: Pieces<T>): { value: T; turns: number } {
  for (let turns = 0; ; turns += 1) {
    const piece = pieces.next();
    if (piece.done === true) return { value: piece.value, turns };
  }
}

it('restore/plan looks through a change request of very many pages in pieces: a drill let the daemon answer nobody for a minute', async () => {
  using made = await createTestMirror();
  const requests = [{ id: 'r1', number: 1, subject: 'Edit', pages: pages(1, 7) }];
  const snapshot = await made.add({ spaces: [{ id: 's1', title: 'Space', pages: pages(0), requests }] });
  const reader = readerAt(made.mirror, snapshot);
  const request = reader.one('change-request', 's1/r1');
  if (request === undefined) throw new Error('expected the request');
  expect(taken(countChanged(reader, request))).toEqual({ value: 2, turns: 2 });
  const left = taken(leftBehind(reader, request));
  expect([left.value.map(({ id }) => id), left.turns]).toEqual([['p0'], 2]);
});
