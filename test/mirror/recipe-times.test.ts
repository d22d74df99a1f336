// The platform may send a time in any zone: what is compared is the instant, what is shown is what was sent.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recipeOf, runQuery } from '../../src/mirror/index.ts';
import { createReportedMirror, type ReportedMirror } from '../support/reported-world.ts';
import { takeSnapshot, type Hand } from '../support/snapshots.ts';

let made: ReportedMirror;

beforeEach(async () => {
  made = await createReportedMirror();
});

afterEach(() => made[Symbol.dispose]());

function rows(name: string): unknown[][] {
  return runQuery(made.dataDir, recipeOf(name)?.sql ?? '', null).rows;
}

function seeEdited(hand: Hand, id: string, updatedAt: unknown): void {
  seePage(hand, { id, title: id, type: 'document', path: id, updatedAt }, id);
}

function seePage({ see }: Hand, body: Readonly<Record<string, unknown>> & { readonly id: string }, text: string): void {
  see({ kind: 'page', params: { spaceId: 'guide', pageId: body.id }, body, text });
}

/** A comment in the space without any. */
function seeComment({ see }: Hand, id: string, fields: Readonly<Record<string, unknown>>): void {
  see({ kind: 'comment', params: { spaceId: 'notes', commentId: id }, body: { id, status: 'open', ...fields } });
}

// The shown snapshot began at 2025-01-09T00:00Z: half a year before is 2024-07-13T00:00Z.
describe('mirror/views/recipes, times of other zones', () => {
  it('lists a page in stale-pages that was edited 180 days and 2 hours ago by a clock of +05:00: it was left out', () => {
    takeSnapshot(made.mirror, (hand) => {
      seeEdited(hand, 'stale-east', '2024-07-13T03:00:00+05:00');
      seeEdited(hand, 'fresh-west', '2024-07-12T23:00:00.000-05:00');
      seeEdited(hand, 'stale-utc', '2024-07-12T21:00:00Z');
    });
    expect(rows('stale-pages').map(([, title, , at]) => [title, at])).toEqual([
      ['Page older', '2023-01-01T00:00:00.000Z'],
      ['Page old', '2024-01-01T00:00:00.000Z'],
      ['stale-utc', '2024-07-12T21:00:00Z'],
      ['stale-east', '2024-07-13T03:00:00+05:00'],
    ]);
  });

  it('keeps what is no time in stale-pages where its text says so, and counts a page without one from when it was seen first', () => {
    takeSnapshot(made.mirror, (hand) => {
      seeEdited(hand, 'empty', '');
      seeEdited(hand, 'vague', '2019, in summer');
      seeEdited(hand, 'none', null);
    });
    const titles = rows('stale-pages').map(([, title]) => title);
    expect(titles).toEqual(['empty', 'vague', 'Page older', 'Page old']);
  });

  it('counts a page without a time from its last change that the mirror saw, and says so: it stayed at the first look, as long as it was edited', async () => {
    takeSnapshot(made.mirror, (hand) => {
      seeEdited(hand, 'still', null);
      seeEdited(hand, 'moving', null);
    });
    await made.clock.advance(200 * 86_400_000);
    takeSnapshot(made.mirror, (hand) => {
      seeEdited(hand, 'still', null);
      seePage(hand, { id: 'moving', title: 'moving', type: 'document', path: 'moving' }, 'Edited.');
    });
    const untold = rows('stale-pages').filter(([, , , , by]) => by === 'mirror');
    expect(untold).toEqual([['Guide', 'still', 'still', '2025-01-09T00:00:00.000Z', 'mirror']]);
  });

  it('counts the age of the oldest comment in comment-backlog by instants, and by what is a time', () => {
    takeSnapshot(made.mirror, (hand) => {
      seeComment(hand, 'west', { postedAt: '2025-01-07T23:00:00-05:00' });
      seeComment(hand, 'east', { postedAt: '2025-01-08T03:00:00+14:00' });
      seeComment(hand, 'vague', { postedAt: '2019, in summer' });
    });
    expect(rows('comment-backlog')).toContainEqual(['Notes', 3, 1]);
  });

  it('names a person in contributors as the newest words do, whatever zone they are from', () => {
    const by = (displayName: string): object => ({ postedBy: { id: 'cyd', displayName } });
    takeSnapshot(made.mirror, (hand) => {
      seeComment(hand, 'earlier', { ...by('Cyd Elm'), postedAt: '2025-01-08T09:00:00+05:00' });
      seeComment(hand, 'later', { ...by('Cyd Oak'), postedAt: '2025-01-08T05:00:00Z' });
      seeComment(hand, 'vague', { ...by('Cyd Ash'), postedAt: 'this morning' });
    });
    expect(rows('contributors')).toContainEqual(['Cyd Oak', 3, 0, 0]);
  });

  it('keeps a person in contributors none of whose words has a time', () => {
    takeSnapshot(made.mirror, (hand) => seeComment(hand, 'one', { postedBy: { id: 'cyd', displayName: 'Cyd' } }));
    expect(rows('contributors')).toContainEqual(['Cyd', 1, 0, 0]);
  });
});
