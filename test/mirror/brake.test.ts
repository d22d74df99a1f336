// Where the brake closes: both the number and the share must be passed, and what is rewritten counts where it is text.
import { expect, it } from 'vitest';
import type { Observation } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { collection, page, takeSnapshot } from '../support/snapshots.ts';

const BRAKE = { deletedShare: 0.3, deletedCount: 3, rewrittenShare: 0.5, rewrittenCount: 4 };

type Seen = Pick<Observation, 'kind' | 'params' | 'body'>;

const comment = (id: string, text: string): Seen => ({
  kind: 'comment',
  params: { spaceId: 's1', commentId: id },
  body: { object: 'comment', id, body: { markdown: text } },
});

const MADE = {
  collection: (id: string, title: string): Seen => collection(id, { title }),
  page,
  comment,
};
/** What a key begins with. */
const KEYS = { collection: '', page: 's1/', comment: 's1/' };

interface Case {
  readonly kind: keyof typeof MADE;
  readonly before: number;
  readonly gone?: number;
  readonly rewritten?: number;
  /** Null where it is no mass change. */
  readonly reason: string | null;
}

const CASES: readonly Case[] = [
  { kind: 'collection', before: 4, gone: 2, reason: null },
  { kind: 'collection', before: 12, gone: 3, reason: null },
  { kind: 'collection', before: 10, gone: 3, reason: '3 of 10 collections gone at once' },
  { kind: 'page', before: 6, rewritten: 3, reason: null },
  { kind: 'page', before: 10, rewritten: 4, reason: null },
  { kind: 'page', before: 8, rewritten: 4, reason: '4 of 8 pages rewritten at once' },
  { kind: 'comment', before: 8, rewritten: 4, reason: '4 of 8 comments rewritten at once' },
  { kind: 'collection', before: 8, rewritten: 8, reason: null },
  { kind: 'page', before: 6, gone: 2, rewritten: 4, reason: '4 of 6 pages rewritten at once' },
];

it.each(CASES)('brake: $kind, $gone gone and $rewritten rewritten of $before, $reason', async (one) => {
  const { kind, before, gone = 0, rewritten = 0, reason } = one;
  using made = await createTestMirror();
  const ids = Array.from({ length: before }, (_, index) => `${kind}${index}`);
  takeSnapshot(made.mirror, ({ see }) => {
    for (const id of ids) see(MADE[kind](id, 'old'));
  });
  const change = takeSnapshot(
    made.mirror,
    ({ see, bury }) => {
      for (const id of ids.slice(0, gone)) bury(kind, `${KEYS[kind]}${id}`);
      for (const id of ids.slice(gone, gone + rewritten)) see(MADE[kind](id, 'new'));
    },
    BRAKE,
  );
  expect([change.state, change.reason]).toEqual([reason === null ? 'complete' : 'suspect', reason]);
});

it('brake opens when all that was gone is back as it was: its texts were taken for others, and each snapshot after was suspect', async () => {
  using made = await createTestMirror();
  const ids = Array.from({ length: 8 }, (_, index) => `page${index}`);
  // Long enough to be compressed when it is superseded.
  const seen = (id: string): ReturnType<typeof page> =>
    page(id, `# ${id}\n\n${'As it was, word by word. '.repeat(20)}`);
  const states = [
    takeSnapshot(made.mirror, ({ see }) => ids.forEach((id) => see(seen(id))), BRAKE),
    takeSnapshot(made.mirror, ({ bury }) => ids.forEach((id) => bury('page', `${KEYS.page}${id}`)), BRAKE),
    takeSnapshot(made.mirror, ({ see }) => ids.forEach((id) => see(seen(id))), BRAKE),
  ].map(({ state, reason }) => [state, reason]);
  expect(states).toEqual([
    ['complete', null],
    ['suspect', '8 of 8 pages gone at once'],
    ['complete', null],
  ]);
});
