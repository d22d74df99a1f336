import { describe, expect, it } from 'vitest';
import { atOnce, type ManualClock } from '../../src/base/index.ts';
import { forget, pinSnapshot } from '../../src/mirror/index.ts';
import { readReport, reportHtml, type Report } from '../../src/status/index.ts';
import { createTestMirror, type TestMirror, type WorldSpec } from '../support/mirror-builder.ts';
import { takeSnapshot } from '../support/snapshots.ts';

const DAY = 86_400_000;

function worldOf(pages: number, comments: number): WorldSpec {
  return {
    spaces: [
      {
        id: 's1',
        title: 'Handbook & <more>',
        pages: Array.from({ length: pages }, (_, nth) => ({
          id: `p${nth}`,
          title: `Page ${nth}`,
          text: 'words',
          body: { updatedAt: nth === 0 ? '2020-01-01T00:00:00Z' : '2024-12-30T00:00:00Z' },
        })),
        comments: Array.from({ length: comments }, (_, nth) => ({ id: `c${nth}`, markdown: 'words' })),
        requests: [{ id: 'r1', number: 1, subject: 'Change' }],
        files: [{ id: 'f1', name: 'a.txt', bytes: 'four' }],
      },
    ],
  };
}

async function threeNights(test: TestMirror): Promise<Report> {
  const clock = test.mirror.clock as ManualClock;
  for (const [pages, comments] of [
    [3, 1],
    [5, 2],
    [4, 2],
  ] as const) {
    await test.add(worldOf(pages, comments));
    await clock.advance(DAY);
  }
  const report = readReport(test.mirror);
  if (report === null) throw new Error('expected a report');
  return report;
}

describe('status/report', () => {
  it('is null before the first snapshot', async () => {
    using test = await createTestMirror();
    expect(readReport(test.mirror)).toBeNull();
  });

  it('tells every night what stood after it and what it moved', async () => {
    using test = await createTestMirror();
    const { nights, totals, snapshot } = await threeNights(test);
    expect(nights.map(({ pages, added, gone }) => [pages, added, gone])).toEqual([
      [3, expect.any(Number), 0],
      [5, 3, 0],
      [4, 0, 1],
    ]);
    expect(totals).toMatchObject({ spaces: 1, pages: 4, files: 1, comments: 2, changeRequests: 1, fileBytes: 4 });
    expect(nights.at(-1)).toMatchObject({ openChangeRequests: 1, objectBytes: 4, snapshot: snapshot.id });
  });

  it('tells the pages that changed before more than it shows of what hangs on them: comments and change requests left no room', async () => {
    using test = await createTestMirror();
    await test.add(worldOf(1, 0));
    await test.add(worldOf(3, 120));
    const { changes = [], moreChanges } = readReport(test.mirror) ?? {};
    const pages = changes.filter(({ kind }) => kind === 'page').map(({ label }) => label);
    expect([pages, moreChanges]).toEqual([['Page 1', 'Page 2'], true]);
  });

  it('tells a space that went once, with what went with it: its pages took the room of what changed elsewhere', async () => {
    using test = await createTestMirror();
    const other = { id: 's0', title: 'Other', pages: [{ id: 'q', title: 'Kept', text: 'words' }] };
    await test.add({ spaces: [...worldOf(120, 1).spaces, other] });
    await test.add({ spaces: [{ ...other, pages: [{ id: 'q', title: 'Edited', text: 'words' }] }] });
    const { changes = [], moreChanges } = readReport(test.mirror) ?? {};
    expect(
      changes.map(({ change, kind, label, spaceTitle, within }) => [change, kind, label, spaceTitle, within]),
    ).toEqual([
      ['removed', 'space', 'Handbook & <more>', null, { file: 1, page: 120, 'change-request': 1, comment: 1 }],
      ['changed', 'page', 'Edited', 'Other', {}],
    ]);
    expect(moreChanges).toBe(false);
    const file = await reportHtml(readReport(test.mirror) as Report, (text) => text);
    expect(file).toContain('with 120 pages, 1 file, 1 change request, 1 comment</span>');
  });

  it('names the pages that nobody edited, and counts ages from the snapshot', async () => {
    using test = await createTestMirror();
    const { stalePages, editAges, changeRequestAges } = await threeNights(test);
    expect(stalePages).toEqual([
      { space: 's1', spaceTitle: 'Handbook & <more>', page: 'p0', title: 'Page 0', editedAt: '2020-01-01T00:00:00Z' },
    ]);
    expect(editAges.filter(({ count }) => count > 0)).toEqual([
      { name: 'less than a month', count: 3 },
      { name: 'more than 2 years', count: 1 },
    ]);
    expect(changeRequestAges[0]).toEqual({ name: 'less than a week', count: 1 });
  });

  it('tells change requests apart whose time nobody can read: they counted among those of less than a week', async () => {
    using test = await createTestMirror();
    takeSnapshot(test.mirror, ({ see }) => {
      see({ kind: 'space', params: { spaceId: 's1' }, body: { object: 'space', id: 's1', title: 'Handbook' } });
      for (const [id, createdAt] of [
        ['r1', '2025-01-01T00:00:00Z'],
        ['r2', 'some day'],
      ])
        see({
          kind: 'change-request',
          params: { spaceId: 's1', changeRequestId: id ?? '' },
          body: { object: 'change-request', id, status: 'open', subject: 'Change', createdAt },
        });
    });
    expect(readReport(test.mirror)?.changeRequestAges.filter(({ count }) => count > 0)).toEqual([
      { name: 'less than a week', count: 1 },
      { name: 'not known', count: 1 },
    ]);
  });

  it('tells since when what it counts came: with nights forgotten, "in the last 30 days" left out what those had brought', async () => {
    using test = await createTestMirror();
    const before = await threeNights(test);
    pinSnapshot(test.mirror, 1, 'kept');
    atOnce(forget(test.mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
    const after = readReport(test.mirror);
    if (after === null) throw new Error('expected a report');
    const day = before.nights[0]?.at.slice(0, 10) ?? '';
    const words = ': 3 resources came, 0 changed, 1 went.';
    expect(await reportHtml(before, String)).toContain(`Since ${day}, over 2 snapshots${words}`);
    expect(await reportHtml(after, String)).toContain(`Since ${day}, over 1 snapshot${words}`);
  });

  it('says what tells of all spaces where it lists those with the most open comments: the list passed for all of them', async () => {
    using test = await createTestMirror();
    takeSnapshot(test.mirror, ({ see }) => {
      for (let nth = 0; nth < 16; nth++) {
        const [spaceId, commentId] = [`s${nth}`, `c${nth}`];
        see({ kind: 'space', params: { spaceId }, body: { object: 'space', id: spaceId, title: `Space ${nth}` } });
        const body = { object: 'comment', id: commentId, status: 'open', body: { markdown: 'words' } };
        see({ kind: 'comment', params: { spaceId, commentId }, body });
      }
    });
    const report = readReport(test.mirror);
    if (report === null) throw new Error('expected a report');
    expect(report.openCommentsBySpace).toHaveLength(15);
    const file = await reportHtml(report, (text) => text);
    expect(file).toContain('All of them: docmirror query --recipe comment-backlog');
    expect(file).not.toContain('--recipe broken-links');
  });

  it('becomes one file that loads nothing, leads nowhere and runs nothing', async () => {
    using test = await createTestMirror();
    const file = await reportHtml(await threeNights(test), (text) => text);
    expect(file).toContain('Pages and files');
    expect(file).toContain('Handbook &amp; &lt;more&gt;');
    expect(file.match(/<svg/g)?.length).toBeGreaterThanOrEqual(8);
    expect(file).not.toMatch(/<(script|link|img|iframe|a)\b|\bsrc=|\bhref=|url\(|@import/);
    expect(file).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });
});
