import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { firstTampered } from '../../src/mirror/snapshots/manifest.ts';
import { readerAt, runQuery } from '../../src/mirror/index.ts';
import { runs } from '../fuzz/runs.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot, type Hand } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

const MEMBERS = ['u1', 'u2', 'u3'];
const SPACES = ['s1', 's2'];

const act = fc.oneof(
  fc.record({
    do: fc.constant('member' as const),
    user: fc.constantFrom(...MEMBERS),
    role: fc.constantFrom('read', 'edit'),
  }),
  fc.record({
    do: fc.constant('access' as const),
    user: fc.constantFrom(...MEMBERS),
    space: fc.constantFrom(...SPACES),
    permission: fc.constantFrom('read', 'admin'),
  }),
  fc.record({
    do: fc.constant('bury' as const),
    user: fc.constantFrom(...MEMBERS),
    space: fc.constantFrom(null, ...SPACES),
  }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
type Model = Map<string, string>;

/** Acts on the mirror and on a plain map of key to value, by the same rules. */
function apply(hand: Hand, model: Model, one: Act): void {
  const member = `o/${one.user}`;
  if (one.do === 'bury') {
    const key = one.space === null ? member : `${member}/${one.space}`;
    hand.bury(one.space === null ? 'member' : 'space-member', key);
    for (const known of model.keys()) if (known === key || known.startsWith(`${key}/`)) model.delete(known);
    return;
  }
  const params = { organizationId: 'o', userId: one.user };
  const role = one.do === 'member' ? one.role : (model.get(member) ?? 'read');
  const scope = hand.see({ kind: 'member', params, body: { id: one.user, role } });
  model.set(member, role);
  if (one.do === 'member') return;
  hand.see({
    kind: 'space-member',
    params: { ...params, spaceId: one.space },
    scope,
    body: { permission: one.permission },
  });
  model.set(`${member}/${one.space}`, one.permission);
}

function entries(model: Model): [string, string][] {
  return [...model].toSorted(([a], [b]) => a.localeCompare(b));
}

describe('mirror/observe/observe', () => {
  it('holds at every snapshot what a map of the same acts held, in reader, AS-OF views and history', async () => {
    const history = fc.array(fc.array(act, { maxLength: 6 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(history, async (nights) => {
        using made = await createTestMirror();
        const model: Model = new Map();
        const past = nights.map((acts) => {
          const { id } = takeSnapshot(made.mirror, (hand) => acts.forEach((one) => apply(hand, model, one)));
          return { id, held: entries(model) };
        });
        for (const { id, held } of past) {
          const reader = readerAt(made.mirror, id);
          const members = [...reader.resources('member')].map((one) => [one.key, one.body['role']]);
          const access = [...reader.resources('space-member')].map((one) => [one.key, one.body['permission']]);
          expect([...members, ...access].toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual(held);
          const seen = runQuery(
            made.dataDir,
            "select organization || '/' || id from members order by 1",
            id,
          ).rows.flat();
          expect(seen).toEqual(held.map(([key]) => key).filter((key) => key.split('/').length === 2));
        }
        expect(atOnce(firstTampered(made.mirror))).toBeNull();
        expect(overlaps(made.mirror)).toEqual([]);
      }),
      { numRuns: runs(24) },
    );
  });
});

/** Versions of one resource that hold at the same time, or for no snapshot at all. */
function overlaps(mirror: Parameters<typeof rowsOf>[0]): unknown[] {
  return rowsOf(
    mirror,
    `select a.vid from versions a left join versions b on b.rid = a.rid and b.vid <> a.vid
     and b.valid_from < coalesce(a.valid_to, 1e9) and coalesce(b.valid_to, 1e9) > a.valid_from
     where b.vid is not null or a.valid_to <= a.valid_from`,
  );
}
