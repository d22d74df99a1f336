import { expect, it } from 'vitest';
import { inTurns } from '../../src/base/index.ts';

it('base/turns ends work that is called off with the reason, where it was put aside, and what is open there is undone', async () => {
  const off = new AbortController();
  const seen: string[] = [];
  const work = inTurns(
    (function* () {
      try {
        for (let piece = 1; ; piece++) {
          seen.push(`piece ${piece}`);
          if (piece === 2) off.abort(new Error('enough'));
          yield;
        }
      } finally {
        seen.push('undone');
      }
    })(),
    off.signal,
  );
  await expect(work).rejects.toThrow('enough');
  expect(seen).toEqual(['piece 1', 'piece 2', 'undone']);
});
