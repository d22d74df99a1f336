import { expect, it } from 'vitest';
import { reportReader } from '../../src/status/report.ts';
import { createTestMirror, type WorldSpec } from '../support/mirror-builder.ts';

function worldOf(pages: number): WorldSpec {
  const text = (nth: number) => ({ id: `p${nth}`, title: `Page ${nth}`, text: 'words' });
  return { spaces: [{ id: 's1', title: 'Handbook', pages: Array.from({ length: pages }, (_, nth) => text(nth)) }] };
}

it('status/report lets others have their turn while it is read: at 10,000 spaces nothing was answered for six seconds', async () => {
  using test = await createTestMirror();
  await test.add(worldOf(3));
  const order: string[] = [];
  setImmediate(() => order.push('another request'));
  await reportReader()(test.mirror);
  order.push('the report');
  expect(order).toEqual(['another request', 'the report']);
});

it('status/report is of one snapshot, also where another is sealed while it is read, and read once for all who ask', async () => {
  using test = await createTestMirror();
  await test.add(worldOf(3));
  const read = reportReader();
  const asked = [read(test.mirror), read(test.mirror)];
  await test.add(worldOf(5));
  const [one, other] = await Promise.all(asked);
  expect(other).toBe(one);
  const of = one?.snapshot.id === 1 ? 3 : 5;
  expect([one?.totals.pages, one?.spaces[0]?.pages]).toEqual([of, of]);
  expect((await read(test.mirror))?.totals.pages).toBe(5);
});
