// What stays is whole where something of it goes: in every snapshot that stays, not in the newest alone.
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { forget, forgetRefusal, listSnapshots, planForget } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { page, put, takeSnapshot } from '../support/snapshots.ts';

const LAST = { last: 2, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
const LONG = 'words that stay '.repeat(40);

it('forgets nothing where a text of an older snapshot that stays is damaged: the last readable state before it went', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  for (const text of ['one', 'two', 'three', 'four', 'five'])
    takeSnapshot(mirror, (hand) => ['a', 'b'].forEach((id) => hand.see(page(id, `${LONG}${text} ${id}`))));
  const four = `select v.text from versions v join resources r on r.rid = v.rid where r.key = 's1/a' and v.valid_from = 4`;
  const { changes } = mirror.store.driver
    .prepare(`update superseded set data = x'00112233' where bid = (${four})`)
    .run();
  expect(changes).toBe(1);
  const refusal = {
    code: 'DM_CHECK_FAILED',
    message: expect.stringMatching(
      /page s1\/a is damaged in snapshot 4, and an earlier state of it would go/,
    ) as string,
    hint: expect.stringContaining('let go of snapshot 4 too') as string,
  };
  expect(atOnce(forgetRefusal(mirror, planForget(mirror, LAST)))).toMatchObject(refusal);
  expect(() => atOnce(forget(mirror, LAST))).toThrow(expect.objectContaining(refusal));
  expect(listSnapshots(mirror)).toHaveLength(5);
  // With it goes nothing that stays.
  atOnce(forget(mirror, { ...LAST, last: 1 }));
  expect(listSnapshots(mirror).map(({ id }) => id)).toEqual([5]);
});

it('forgets nothing where the bytes of a file are damaged that an older snapshot shows', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  const objects = [await put(mirror, 'one'), await put(mirror, 'two'), await put(mirror, 'six')];
  for (const object of objects)
    takeSnapshot(mirror, (hand) =>
      hand.see({
        kind: 'file',
        params: { spaceId: 's1', fileId: 'f' },
        body: { id: 'f' },
        object: { sha256: object, size: 3 },
      }),
    );
  writeFileSync(mirror.objects.pathOf(objects[1] ?? ''), 'TWO');
  const refusal = {
    code: 'DM_CHECK_FAILED',
    message: expect.stringContaining('file s1/f is damaged in snapshot 2') as string,
  };
  expect(() => atOnce(forget(mirror, LAST))).toThrow(expect.objectContaining(refusal));
  expect(listSnapshots(mirror)).toHaveLength(3);
});
