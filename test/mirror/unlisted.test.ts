import { expect, it } from 'vitest';
import { isOnlyUnlisted, type KindCounts } from '../../src/mirror/index.ts';

const NONE: KindCounts = {
  seen: 1,
  added: 0,
  changed: 0,
  unchanged: 1,
  gone: 0,
  failed: 0,
  unreachable: 0,
  missing: 0,
};
const MISSING = { ...NONE, missing: 1 };
const partial = { state: 'partial', reason: '1 share-link no longer listed' } as const;

it('knows a snapshot that lacks nothing but what a listing shows no more', () => {
  expect(isOnlyUnlisted(partial, { page: NONE, 'share-link': MISSING }, false)).toBe(true);
  expect(isOnlyUnlisted({ ...partial, state: 'suspect' }, { 'share-link': MISSING }, false)).toBe(false);
  expect(isOnlyUnlisted({ state: 'complete', reason: null }, { page: NONE }, false)).toBe(false);
  for (const kinds of [
    { page: { ...NONE, failed: 1 }, 'share-link': MISSING },
    { space: { ...NONE, unreachable: 1 }, 'share-link': MISSING },
    { page: NONE },
  ])
    expect(isOnlyUnlisted(partial, kinds, false)).toBe(false);
});

it('leaves what a token that lost its place is shown to the next night', () => {
  const reason = 'scope shrank: no admin on organization o1; 1 share-link no longer listed';
  expect(isOnlyUnlisted({ ...partial, reason }, { 'share-link': MISSING }, false)).toBe(false);
  for (const kind of ['organization', 'collection', 'team'])
    expect(isOnlyUnlisted(partial, { 'share-link': MISSING, [kind]: MISSING }, false), kind).toBe(false);
});

it('knows it beside failures that were accepted, and not of one that has no others', () => {
  const FAILED = { ...NONE, failed: 1 };
  expect(isOnlyUnlisted(partial, { page: FAILED, 'share-link': MISSING }, true)).toBe(true);
  expect(isOnlyUnlisted(partial, { page: FAILED }, true)).toBe(false);
  expect(isOnlyUnlisted(partial, { page: FAILED, space: { ...NONE, unreachable: 1 } }, true)).toBe(false);
});
