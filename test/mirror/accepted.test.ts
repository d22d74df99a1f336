// What a person may say is known of a partial snapshot, and which later ones lack nothing else.
import { expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import {
  acceptSnapshot,
  checkMirror,
  forget,
  isAccepted,
  isSound,
  lastSound,
  listAccepted,
  noteFailure,
  unacceptable,
  type Mirror,
  type OpenSnapshot,
} from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot } from '../support/snapshots.ts';

function fail({ mirror, id }: OpenSnapshot, kind: string, resource: string): void {
  const request = `GET /v1/${resource}`;
  noteFailure({ mirror, id }, { kind, resource, request, status: 500, code: 'DM_HTTP_STATUS', error: 'answered 500' });
}

/** A night on which pages could not be read. */
function night(mirror: Mirror, ...pages: string[]): number {
  return takeSnapshot(mirror, (hand) => {
    for (const page of pages) fail({ mirror, id: hand.id }, 'page', `s1/${page}`);
  }).id;
}

it('counts a file whose bytes are lost once, in however many change requests it stands', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  const { id } = takeSnapshot(mirror, (hand) => {
    const at = { mirror, id: hand.id };
    fail(at, 'file', 's1/f1');
    for (let n = 0; n < 300; n++) fail(at, 'change-request-file', `s1/r${n}/f1`);
  });
  expect(unacceptable(mirror, id)).toBeNull();
});

it('cannot be more than anybody looks at', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  const names = Array.from({ length: 101 }, (_, n) => `p${n}`);
  expect(unacceptable(mirror, night(mirror, ...names.slice(1)))).toBeNull();
  expect(unacceptable(mirror, night(mirror, ...names))).toBe('many');
});

it('holds over a night that is limited or lacks more, and ends for what was read meanwhile', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  acceptSnapshot(mirror, night(mirror, 'p1', 'p2'), 'ticket 7');
  const nights = [['p2', 'p1'], ['p1', 'p2', 'p3'], ['p1'], ['p1', 'p2'], ['p1'], [], ['p1']].map((pages) =>
    isAccepted(mirror, night(mirror, ...pages)),
  );
  expect(nights).toEqual([true, false, true, false, true, false, false]);
  expect(lastSound(mirror)?.id).toBe(7);
  expect(isSound(mirror, { id: 8, state: 'partial' })).toBe(false);
  expect(new Set(listAccepted(mirror).map(({ reason, at }) => `${reason} ${at}`)).size).toBe(1);
});

it.each([
  { why: 'its tree could not be read', kind: 'revision', resource: 's1', code: 'DM_HTTP_STATUS' },
  { why: 'the spaces could not be listed', kind: 'space', resource: 'o1', code: 'DM_HTTP_STATUS' },
  { why: 'the walk was ended early', kind: 'page', resource: 's2/*', code: 'DM_INCOMPLETE' },
])('holds over a night in which $why: it was taken for read then, and had to be accepted anew', async (failure) => {
  using made = await createTestMirror();
  const { mirror } = made;
  acceptSnapshot(mirror, night(mirror, 'p1'), 'ticket 7');
  const { kind, resource, code } = failure;
  const { id } = takeSnapshot(mirror, (hand) =>
    noteFailure({ mirror, id: hand.id }, { kind, resource, code, request: '', status: null, error: 'no' }),
  );
  expect([isAccepted(mirror, id), isAccepted(mirror, night(mirror, 'p1'))]).toEqual([false, true]);
});

it('ends for what was read in a night in which something beside it failed', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  acceptSnapshot(mirror, night(mirror, 'p1'), 'ticket 7');
  for (const resource of ['s2', 's1/p'])
    takeSnapshot(mirror, (hand) => fail({ mirror, id: hand.id }, 'revision', resource));
  expect(isAccepted(mirror, night(mirror, 'p1'))).toBe(false);
});

it('is forgotten with the snapshot that it was said of, and holds on: a row for each night that was ever accepted stayed, for good', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  acceptSnapshot(mirror, night(mirror, 'p1'), 'ticket 7');
  night(mirror, 'p1');
  night(mirror, 'p1');
  atOnce(forget(mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
  expect(listAccepted(mirror)).toMatchObject([{ snapshot: 3, reason: 'ticket 7' }]);
  expect(isAccepted(mirror, night(mirror, 'p1'))).toBe(true);
  expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
});

it('is not what lies below it: of a space whose tree could not be read, nobody accepted its pages', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  const { id } = takeSnapshot(mirror, (hand) => {
    fail({ mirror, id: hand.id }, 'revision', 's1');
    fail({ mirror, id: hand.id }, 'space', 'o1');
  });
  acceptSnapshot(mirror, id, 'ticket 7');
  expect(isAccepted(mirror, night(mirror, 'p1'))).toBe(false);
});

it('holds whatever a platform answers in place of a page, and not where it answers what cannot be believed: a text that was empty of a sudden passed for the page that it answered with 500', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  const at = { kind: 'page', resource: 's1/p1', request: 'GET', status: null, error: 'no' };
  const failing = (code: string): number =>
    takeSnapshot(mirror, (hand) => noteFailure({ mirror, id: hand.id }, { ...at, code })).id;
  acceptSnapshot(mirror, failing('DM_HTTP_STATUS'), 'ticket 7');
  const codes = ['DM_TIMEOUT', 'DM_NOT_JSON', 'DM_BAD_RESPONSE', 'DM_HTTP_STATUS', 'DM_NOT_FOUND'];
  expect(codes.map((code) => isAccepted(mirror, failing(code)))).toEqual([true, true, false, true, false]);
});
