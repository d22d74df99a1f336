// A field that the API promises and that is gone from all that had it: an upgrade of the platform that calls it otherwise.
import { expect, it } from 'vitest';
import { acceptSnapshot, isWithoutFields, listSnapshots, type Observation } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { collection, page, takeSnapshot } from '../support/snapshots.ts';

type Seen = Pick<Observation, 'kind' | 'params' | 'body'>;

const IDS = ['c1', 'c2', 'c3', 'c4'];

const comment = (id: string, body: Record<string, string>): Seen => ({
  kind: 'comment',
  params: { spaceId: 's1', commentId: id },
  body: { object: 'comment', id, body },
});

/** A night on which all of these were seen: its state and why. */
function night({ mirror }: TestMirror, seen: readonly Seen[]): [string, string | null] {
  const { state, reason } = takeSnapshot(mirror, ({ see }) => seen.forEach((one) => see(one)));
  return [state, reason];
}

const titled = IDS.map((id) => collection(id, { title: id }));
const labelled = IDS.map((id) => collection(id, { label: id }));

it('takes no snapshot for complete in which a field of all that was read is gone: every title was, with exit code 0', async () => {
  using made = await createTestMirror();
  expect(night(made, titled)).toEqual(['complete', null]);
  const gone = 'no title any more on 4 of 4 collections that changed';
  expect(night(made, labelled)).toEqual(['suspect', `${gone} at once`]);
  expect(listSnapshots(made.mirror).map(isWithoutFields)).toEqual([false, true]);
  expect(night(made, labelled), 'as long as it is so').toEqual(['suspect', `${gone} since snapshot 1`]);
  expect(night(made, titled), 'once it is back').toEqual(['complete', null]);
  const nulls = IDS.map((id) => collection(id, { title: null }));
  expect(night(made, nulls), 'a null that may not be').toEqual(['suspect', `${gone} at once`]);
});

it('measures by such a snapshot once a person has accepted it', async () => {
  using made = await createTestMirror();
  night(made, titled);
  night(made, labelled);
  acceptSnapshot(made.mirror, 2, 'it has labels now');
  expect(night(made, labelled)).toEqual(['complete', null]);
});

it('knows it of pages of which a part is read each night, and of the texts of comments', async () => {
  using made = await createTestMirror();
  const comments = IDS.map((id) => comment(id, { markdown: id }));
  night(made, [...['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'].map((id) => page(id, id)), ...comments]);
  const untitled = ['p1', 'p2', 'p3'].map((id) => page(id, 'new', { title: undefined }));
  expect(night(made, untitled)).toEqual(['suspect', 'no title any more on 3 of 3 pages that changed at once']);
  const renamed = IDS.map((id) => comment(id, { text: id }));
  expect(night(made, renamed)[1]).toContain(
    'no body.markdown any more on 4 of 4 comments that changed since snapshot 1',
  );
});

it('goes by no oddity of one or two, by no null that may be, and by no field that need not be there', async () => {
  using made = await createTestMirror();
  const full = IDS.map((id) => collection(id, { title: id, description: 'words' }));
  night(made, full);
  const odd = [...labelled.slice(0, 2), ...full.slice(2)];
  expect(night(made, odd)).toEqual(['complete', null]);
  expect(night(made, full)).toEqual(['complete', null]);
  expect(night(made, titled), 'a description less').toEqual(['complete', null]);
  const level = (defaultLevel: string | null): Seen[] => IDS.map((id) => collection(id, { title: id, defaultLevel }));
  night(made, level('read'));
  expect(night(made, level(null))).toEqual(['complete', null]);
});

it('takes spaces that got icons for their emojis for what people do: all nights from then on were suspect', async () => {
  using made = await createTestMirror();
  const shown = (fields: Record<string, unknown>): Seen[] =>
    IDS.map((id) => ({ kind: 'space', params: { spaceId: id }, body: { object: 'space', id, title: id, ...fields } }));
  night(made, shown({ emoji: '1f680' }));
  for (const fields of [{ emoji: null }, { emoji: '1f680' }, {}])
    expect(night(made, shown(fields))).toEqual(['complete', null]);
  expect(night(made, shown({ title: undefined }))[1]).toContain('no title any more on 4 of 4 spaces');
});

it('takes comments whose writer the platform names no more for those of a person who was deleted: no night is suspect for that', async () => {
  using made = await createTestMirror();
  const by = (postedBy: unknown): Seen[] =>
    IDS.map((id) => {
      const { body, ...one } = comment(id, { markdown: id });
      return { ...one, body: { ...body, postedBy } };
    });
  night(made, by({ object: 'user', id: 'u1' }));
  for (const gone of [null, undefined]) expect(night(made, by(gone))).toEqual(['complete', null]);
});
