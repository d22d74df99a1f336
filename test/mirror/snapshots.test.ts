import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import {
  abandonSnapshot,
  acceptSnapshot,
  addVisit,
  countKind,
  countsOf,
  diffSnapshots,
  lastComplete,
  noteFailure,
  openedSnapshot,
  openSnapshot,
  readerAt,
  resolveSnapshot,
  runQuery,
  sealSnapshot,
  visitsLeft,
  type Snapshot,
} from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { NO_BRAKE, collection, fill, page, takeSnapshot, type Hand } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

const OPEN = { mode: 'incremental', scope: null, origin: 'http://platform.test' } as const;

describe('mirror/snapshots/snapshots', () => {
  it('keeps one version while nothing changes and opens the next when something does', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'A' })));
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'A' })));
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'B' })));
    const history = 'select title, valid_from, valid_to from collections_history order by valid_from';
    expect(rowsOf(made.mirror, history)).toEqual([
      { title: 'A', valid_from: 1, valid_to: 3 },
      { title: 'B', valid_from: 3, valid_to: null },
    ]);
    expect(countsOf(made.mirror, 2)['collection']).toMatchObject({ seen: 1, unchanged: 1, added: 0, changed: 0 });
  });

  it('opens a new version for a record that comes back with its old body', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'A' })));
    takeSnapshot(made.mirror, ({ bury }) => bury('collection', 'c1'));
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'A' })));
    expect(rowsOf(made.mirror, 'select valid_from, valid_to from collections_history order by valid_from')).toEqual([
      { valid_from: 1, valid_to: 2 },
      { valid_from: 3, valid_to: null },
    ]);
    expect([1, 2, 3].map((at) => readerAt(made.mirror, at).count('collection'))).toEqual([1, 0, 1]);
  });

  it('counts once what is looked at twice in one snapshot', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => {
      see(collection('c1', { title: 'A' }));
      see(collection('c1', { title: 'A' }));
      see(collection('c1', { title: 'B' }));
    });
    expect(countsOf(made.mirror, 1)['collection']).toMatchObject({ seen: 1, added: 1, changed: 0, unchanged: 0 });
    expect(rowsOf(made.mirror, 'select title, valid_from from collections_history')).toEqual([
      { title: 'B', valid_from: 1 },
    ]);
  });

  it('takes a text that differs although the mark says that nothing moved', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see({ ...page('p1', 'wrong'), mark: 'same' }));
    takeSnapshot(made.mirror, ({ see }) => see({ ...page('p1', 'right'), mark: 'same' }));
    expect(readerAt(made.mirror, 2).one('page', 's1/p1')?.text).toBe('right');
  });

  it('gives the text of a page to its twin in a change request', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => {
      const { mirror } = made;
      see(page('p1', 'shared text'));
      const { body: textBody } = { body: Number(rowsOf(mirror, 'select text from versions')[0]?.['text']) };
      const params = { spaceId: 's1', changeRequestId: 'r1', pageId: 'p1' };
      see({ kind: 'change-request-page', params, body: { id: 'p1' }, textBody });
    });
    expect(readerAt(made.mirror, 1).one('change-request-page', 's1/r1/p1')?.text).toBe('shared text');
  });

  it('buries everything below what is gone, with its evidence', async () => {
    using made = await createTestMirror();
    const organization = { kind: 'organization', params: { organizationId: 'o' }, body: { id: 'o' } } as const;
    takeSnapshot(made.mirror, ({ see }) => {
      const scope = see({
        kind: 'member',
        params: { organizationId: 'o', userId: 'u' },
        body: { id: 'u' },
        scope: see(organization),
      });
      const params = { organizationId: 'o', userId: 'u', spaceId: 's' };
      see({ kind: 'space-member', params, scope, body: { permission: 'read' } });
    });
    takeSnapshot(made.mirror, ({ bury }) => expect(bury('member', 'o/u')).toBe(2));
    const stones = rowsOf(
      made.mirror,
      'select kind, snapshot, first_missing, evidence from tombstones join resources using (rid)',
    );
    expect(stones.map(({ kind, snapshot }) => [kind, snapshot])).toEqual([
      ['member', 2],
      ['space-member', 2],
    ]);
    expect(JSON.parse(String(stones[0]?.['evidence']))).toMatchObject({ listed: 3, direct: { status: 404 } });
  });

  it('shows readers the last sealed snapshot while the next is being written', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'A' })));
    const open = openSnapshot(made.mirror, OPEN);
    fill(made.mirror, open, ({ see, bury }) => {
      see(collection('c2', { title: 'New' }));
      bury('collection', 'c1');
    });
    const titles = () => runQuery(made.dataDir, 'select title from collections', null).rows;
    expect(titles()).toEqual([['A']]);
    expect(rowsOf(made.mirror, 'select id, valid_to from collections_history')).toEqual([{ id: 'c1', valid_to: null }]);
    atOnce(sealSnapshot({ mirror: made.mirror, id: open }, NO_BRAKE));
    expect(titles()).toEqual([['New']]);
  });

  it('names no number where a listing failed or visits were given up, which would have been many', async () => {
    using made = await createTestMirror();
    const id = openSnapshot(made.mirror, OPEN);
    fill(made.mirror, id, ({ see }) => see(collection('c1')));
    const open = { mirror: made.mirror, id };
    const failure = { request: 'GET /x', status: 500, code: 'DM_HTTP_STATUS', error: 'no' };
    noteFailure(open, { kind: 'member', resource: 'org', ...failure });
    noteFailure(open, { kind: 'page', resource: 's1/*', ...failure });
    noteFailure(open, { kind: 'collection', resource: 'c1', ...failure });
    const { reason } = atOnce(sealSnapshot(open, NO_BRAKE));
    expect(reason?.split('; ').toSorted()).toEqual([
      '1 collection not read',
      'not all members read',
      'not all pages read',
    ]);
  });

  it('is partial as soon as one thing was not read, and says what', async () => {
    using made = await createTestMirror();
    const id = openSnapshot(made.mirror, OPEN);
    fill(made.mirror, id, ({ see }) => see(collection('c1')));
    const failure = {
      kind: 'page',
      resource: 's1/p1',
      request: 'GET /x',
      status: 500,
      code: 'DM_HTTP_STATUS',
      error: 'no',
    };
    noteFailure({ mirror: made.mirror, id }, failure);
    expect(atOnce(sealSnapshot({ mirror: made.mirror, id }, NO_BRAKE))).toMatchObject({
      state: 'partial',
      reason: '1 page not read',
    });
    expect(rowsOf(made.mirror, 'select resource, request, status from failures')).toEqual([
      { resource: 's1/p1', request: 'GET /x', status: 500 },
    ]);
    expect(lastComplete(made.mirror)).toBeUndefined();
  });

  it('is suspect when more than the brake allows is gone or rewritten', async () => {
    using made = await createTestMirror();
    const ids = Array.from({ length: 10 }, (_, index) => `c${index}`);
    const brake = { deletedShare: 0.3, deletedCount: 3, rewrittenShare: 0.5, rewrittenCount: 5 };
    takeSnapshot(made.mirror, ({ see }) => {
      for (const id of ids) see(collection(id));
      for (const id of ids) see(page(id, 'old'));
    });
    const some = takeSnapshot(
      made.mirror,
      ({ bury }) => void ids.slice(0, 2).map((id) => bury('collection', id)),
      brake,
    );
    expect(some.state).toBe('complete');
    const many = takeSnapshot(
      made.mirror,
      ({ bury }) => void ids.slice(2, 6).map((id) => bury('collection', id)),
      brake,
    );
    expect(many).toMatchObject({ state: 'suspect', reason: '4 of 8 collections gone at once' });
    const rewritten = takeSnapshot(
      made.mirror,
      ({ see }) => void ids.slice(0, 6).map((id) => see(page(id, 'new'))),
      brake,
    );
    const reason = '4 of 8 collections gone since snapshot 2; 6 of 10 pages rewritten since snapshot 2';
    expect(rewritten).toMatchObject({ state: 'suspect', reason });
  });

  it('is not suspect when one page was deleted and all that stand behind it moved up', async () => {
    using made = await createTestMirror();
    const ids = Array.from({ length: 10 }, (_, index) => `p${index}`);
    const brake = { deletedShare: 0.3, deletedCount: 3, rewrittenShare: 0.5, rewrittenCount: 5 };
    const place = (hand: Hand, left: readonly string[]): void =>
      left.forEach((id, position) => void hand.see({ ...page(id, id), parent: null, position }));
    takeSnapshot(made.mirror, (hand) => place(hand, ids));
    const moved = takeSnapshot(
      made.mirror,
      (hand) => {
        hand.bury('page', 's1/p0');
        place(hand, ids.slice(1));
      },
      brake,
    );
    expect(rowsOf(made.mirror, 'select count(*) as n from versions where valid_from = 2')).toEqual([{ n: 9 }]);
    expect(moved).toMatchObject({ state: 'complete', reason: null });
  });

  it('is not suspect when one page is mended and all its broken links are gone', async () => {
    using made = await createTestMirror();
    const ids = Array.from({ length: 40 }, (_, index) => `l${index}`);
    const brake = { deletedShare: 0.3, deletedCount: 20, rewrittenShare: 0.7, rewrittenCount: 50 };
    const link = (linkId: string) => ({
      kind: 'link' as const,
      params: { spaceId: 's1', linkId },
      body: { status: 'broken', targetReference: { kind: 'page', page: linkId } },
    });
    takeSnapshot(made.mirror, ({ see }) => void [see(page('p1', 'old')), ...ids.map((id) => see(link(id)))]);
    const mended = takeSnapshot(
      made.mirror,
      ({ see, bury }) => void [see(page('p1', 'new')), ...ids.map((id) => bury('link', `s1/${id}`))],
      brake,
    );
    expect(mended).toMatchObject({ state: 'complete', reason: null });
  });

  it('stays suspect, walk after walk, until a person accepts the change or it is undone', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const ids = Array.from({ length: 10 }, (_, index) => `c${index}`);
    const brake = { deletedShare: 0.3, deletedCount: 3, rewrittenShare: 2, rewrittenCount: 99 };
    const nothing = (): void => undefined;
    takeSnapshot(mirror, ({ see }) => ids.forEach((id) => see(collection(id))));
    takeSnapshot(mirror, ({ bury }) => ids.slice(0, 5).forEach((id) => bury('collection', id)), brake);
    expect(takeSnapshot(mirror, nothing, brake)).toMatchObject({
      state: 'suspect',
      reason: '5 of 10 collections gone since snapshot 1',
    });
    takeSnapshot(mirror, ({ see }) => ids.slice(0, 3).forEach((id) => see(collection(id))), brake);
    expect(lastComplete(mirror)?.id).toBe(4);
    const again = takeSnapshot(mirror, ({ bury }) => ids.slice(5).forEach((id) => bury('collection', id)), brake);
    expect(again.state).toBe('suspect');
    acceptSnapshot(mirror, again.id, 'the product was discontinued');
    expect(takeSnapshot(mirror, nothing, brake).state).toBe('complete');
  });

  it('is suspect after a mass change too when no snapshot before was ever complete', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    const ids = Array.from({ length: 10 }, (_, index) => `c${index}`);
    const brake = { deletedShare: 0.3, deletedCount: 3, rewrittenShare: 2, rewrittenCount: 99 };
    const night = (work: (hand: Hand) => void): Snapshot =>
      takeSnapshot(
        mirror,
        (hand) => {
          noteFailure(
            { mirror, id: hand.id },
            {
              kind: 'space',
              resource: 's',
              request: 'GET /v1/spaces/{spaceId}',
              status: 403,
              code: 'DM_FORBIDDEN',
              error: 'no',
            },
          );
          work(hand);
        },
        brake,
      );
    expect(night(({ see }) => ids.forEach((id) => see(collection(id)))).state).toBe('partial');
    expect(night(({ bury }) => ids.slice(0, 2).forEach((id) => bury('collection', id))).state).toBe('partial');
    const gone = night(({ bury }) => ids.slice(2, 6).forEach((id) => bury('collection', id)));
    expect(gone).toMatchObject({ state: 'suspect', reason: 'not all spaces read; 4 of 8 collections gone at once' });
    expect(night(() => undefined).state).toBe('suspect');
  });

  it('does not take a walk that was limited for one of everything', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    takeSnapshot(mirror, ({ see }) => see(collection('c1')));
    const id = openSnapshot(mirror, { ...OPEN, scope: '{"onlySpaces":["s1"]}' });
    expect(atOnce(sealSnapshot({ mirror, id }, NO_BRAKE)).state).toBe('complete');
    expect(lastComplete(mirror)?.id).toBe(1);
  });

  it('has at most one open snapshot, and keeps what an abandoned one saw for the next', async () => {
    using made = await createTestMirror();
    const id = openSnapshot(made.mirror, OPEN);
    expect(() => openSnapshot(made.mirror, OPEN)).toThrow(/UNIQUE/);
    fill(made.mirror, id, ({ see }) => see(collection('c1', { title: 'A' })));
    addVisit({ mirror: made.mirror, id }, { task: 'listing', params: { kind: 'team' } });
    abandonSnapshot(made.mirror, id, 'it was full');
    expect([openedSnapshot(made.mirror), visitsLeft(made.mirror)]).toEqual([undefined, 0]);
    expect(() => resolveSnapshot(made.mirror, id)).toThrow(/sealed snapshot; this one is abandoned/);
    const next = takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'A' })));
    expect(readerAt(made.mirror, next.id).one('collection', 'c1')?.body['title']).toBe('A');
  });

  it('tells two snapshots apart by what was added, changed and removed', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => ['c1', 'c2', 'c3'].forEach((id) => see(collection(id, { title: id }))));
    takeSnapshot(made.mirror, ({ see, bury }) => {
      see(collection('c1', { title: 'changed' }));
      bury('collection', 'c2');
      see(collection('c4', { title: 'c4' }));
    });
    const changes = [...diffSnapshots(made.mirror, [1, 2])].map(({ key, change, label }) => [key, change, label]);
    expect(changes).toEqual([
      ['c1', 'changed', 'changed'],
      ['c2', 'removed', 'c2'],
      ['c4', 'added', 'c4'],
    ]);
    expect([...diffSnapshots(made.mirror, [2, 1])].map(({ change }) => change)).toEqual([
      'changed',
      'added',
      'removed',
    ]);
  });

  it('adds counts up, of every kind apart', async () => {
    using made = await createTestMirror();
    const id = openSnapshot(made.mirror, OPEN);
    countKind({ mirror: made.mirror, id }, 'page', { seen: 2 });
    countKind({ mirror: made.mirror, id }, 'page', { seen: 1, gone: 1 });
    expect(countsOf(made.mirror, id)).toEqual({
      page: { seen: 3, added: 0, changed: 0, unchanged: 0, gone: 1, failed: 0, unreachable: 0, missing: 0 },
    });
  });
});
