// A small mirror whose every report is known: two nights, written by hand.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock, type ManualClock } from '../../src/base/index.ts';
import { type Mirror } from '../../src/mirror/index.ts';
import { takeSnapshot, type Hand } from './snapshots.ts';
import { emptyMirror } from './empty-mirror.ts';

export interface ReportedMirror extends Disposable {
  readonly mirror: Mirror;
  readonly dataDir: string;
  readonly clock: ManualClock;
}

const NIGHT = 8 * 86_400_000;
const SAME = 'The same words in two places. '.repeat(10);
const PERSON = { ann: 'Ann', bob: 'Bob' } as const;

function user(id: keyof typeof PERSON): Record<string, unknown> {
  return { object: 'user', id, displayName: PERSON[id] };
}

/** Snapshot 1 on 2025-01-01, snapshot 2 on 2025-01-09. */
export async function createReportedMirror(): Promise<ReportedMirror> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docmirror-reports-'));
  const clock = manualClock(Date.UTC(2025, 0, 1));
  const mirror = await emptyMirror({ dataDir, clock });
  takeSnapshot(mirror, (hand) => {
    seePeople(hand);
    seeSpaces(hand);
    seeTalk(hand);
    seeLinks(hand, 'broken');
  });
  await clock.advance(NIGHT);
  takeSnapshot(mirror, (hand) => {
    seePage(hand, {
      space: 'guide',
      id: 'start',
      updatedAt: '2025-01-05T00:00:00.000Z',
      text: 'Edited. ![](/files/used)',
    });
    seePage(hand, { space: 'guide', id: 'added', updatedAt: '2025-01-06T00:00:00.000Z', text: 'New.' });
    seeLinks(hand, 'ok');
    hand.bury('page', 'notes/gone');
  });
  return {
    mirror,
    dataDir,
    clock,
    [Symbol.dispose]: () => {
      mirror[Symbol.dispose]();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function seePeople(hand: Hand): void {
  const organizationId = 'org';
  hand.see({
    kind: 'organization',
    params: { organizationId },
    body: { object: 'organization', id: 'org', title: 'Acme' },
  });
  for (const id of ['ann', 'bob'] as const)
    hand.see({
      kind: 'member',
      params: { organizationId, userId: id },
      body: { object: 'member', id, role: 'edit', user: user(id) },
    });
  const access = [
    ['ann', 'guide', 'read'],
    ['ann', 'notes', 'admin'],
    ['bob', 'guide', 'edit'],
  ] as const;
  for (const [userId, spaceId, permission] of access) {
    const space = { object: 'space', id: spaceId };
    hand.see({ kind: 'space-member', params: { organizationId, userId, spaceId }, body: { permission, space } });
  }
  hand.see({
    kind: 'site',
    params: { organizationId, siteId: 'site' },
    body: { object: 'site', id: 'site', title: 'Docs' },
  });
  const params = { organizationId, siteId: 'site', siteSpaceId: 'shown' };
  hand.see({
    kind: 'site-space',
    params,
    body: { object: 'site-space', id: 'shown', space: { object: 'space', id: 'guide' } },
  });
}

function seeSpaces(hand: Hand): void {
  for (const [id, title] of [
    ['guide', 'Guide'],
    ['notes', 'Notes'],
  ] as const) {
    const body = { object: 'space', id, organization: 'org', title, visibility: 'private' };
    hand.see({ kind: 'space', params: { spaceId: id }, body });
  }
  seePage(hand, { space: 'guide', id: 'start', updatedAt: '2024-12-30T00:00:00.000Z', text: 'See ![](/files/used)' });
  seePage(hand, { space: 'guide', id: 'old', updatedAt: '2024-01-01T00:00:00.000Z', text: SAME, description: 'Old.' });
  seePage(hand, { space: 'notes', id: 'older', updatedAt: '2023-01-01T00:00:00.000Z', text: SAME, cover: 'cover' });
  seePage(hand, { space: 'notes', id: 'gone', updatedAt: '2024-12-31T00:00:00.000Z', text: 'Short.' });
  const files = [
    ['guide', 'used', 10],
    ['guide', 'orphan', 500],
    ['notes', 'cover', 20],
  ] as const;
  for (const [spaceId, fileId, size] of files)
    hand.see({ kind: 'file', params: { spaceId, fileId }, body: { id: fileId, name: `${fileId}.png`, size } });
}

interface PageFacts {
  readonly space: string;
  readonly id: string;
  readonly updatedAt: string;
  readonly text: string;
  readonly description?: string;
  readonly cover?: string;
}

function seePage(hand: Hand, { space, id, updatedAt, text, description, cover }: PageFacts): void {
  const body = {
    id,
    title: `Page ${id}`,
    type: 'document',
    path: id,
    createdAt: '2022-01-01T00:00:00.000Z',
    updatedAt,
    ...(description === undefined ? {} : { description }),
    ...(cover === undefined ? {} : { cover: { ref: { kind: 'file', file: cover } } }),
  };
  hand.see({ kind: 'page', params: { spaceId: space, pageId: id }, body, text });
}

function seeTalk(hand: Hand): void {
  const comments = [
    ['first', 'open', '2024-12-20T00:00:00.000Z'],
    ['second', 'open', '2024-12-25T00:00:00.000Z'],
    ['third', 'resolved', '2024-12-01T00:00:00.000Z'],
  ] as const;
  for (const [id, status, postedAt] of comments) {
    const post = { id, postedAt, body: { markdown: `Words of ${id}` } };
    const target = { page: { id: 'start' }, space: 'guide' };
    const comment = {
      object: 'comment',
      ...post,
      postedBy: user('ann'),
      status,
      replies: id === 'first' ? 1 : 0,
      target,
    };
    hand.see({ kind: 'comment', params: { spaceId: 'guide', commentId: id }, body: comment });
  }
  const reply = { object: 'comment-reply', id: 'answer', postedBy: user('bob'), postedAt: '2024-12-21T00:00:00.000Z' };
  const params = { spaceId: 'guide', commentId: 'first', commentReplyId: 'answer' };
  hand.see({ kind: 'comment-reply', params, body: { ...reply, body: { markdown: 'An answer' } } });
  const requests = [
    ['one', 1, 'open', '2024-12-10T00:00:00.000Z'],
    ['two', 2, 'draft', '2024-12-30T00:00:00.000Z'],
    ['three', 3, 'merged', '2024-01-01T00:00:00.000Z'],
  ] as const;
  for (const [id, number, status, createdAt] of requests) {
    const request = { object: 'change-request', id, number, status, subject: `Change ${id}`, createdBy: user('ann') };
    hand.see({
      kind: 'change-request',
      params: { spaceId: 'guide', changeRequestId: id },
      body: { ...request, createdAt },
    });
  }
}

/** One link that is broken throughout, and one that is as given. */
function seeLinks(hand: Hand, given: string): void {
  const locationReferences = [{ kind: 'page', page: { object: 'page', id: 'start' } }];
  for (const [linkId, status] of [
    ['dead', 'broken'],
    ['mended', given],
  ] as const) {
    const body = { object: 'link', status, locationReferences };
    hand.see({ kind: 'link', params: { spaceId: 'guide', linkId }, body });
  }
}
