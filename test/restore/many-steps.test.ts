import { expect, it } from 'vitest';
import { SHOWN_WITHIN_MS } from '../../src/client/index.ts';
import type { RestoreStep } from '../../src/mirror/index.ts';
import { shownFrom } from '../../src/restore/journal/until-shown.ts';

it('restore/journal tells from when on 150,000 writes are shown: verify and resume of so many comments ended with a stack that was too small', () => {
  const at = '2026-03-01T02:00:00.000Z';
  const comment = {
    action: 'create',
    part: 'none',
    kind: 'comment',
    state: 'done',
    new_id: null,
    error: null,
  } as const;
  const written: RestoreStep = { ...comment, restore: 'r', step: 1, key: 'space/comment', detail: null, at };
  const steps = Array.from({ length: 150_000 }, () => written);
  expect(shownFrom(steps)).toBe(Date.parse(at) + SHOWN_WITHIN_MS);
});
