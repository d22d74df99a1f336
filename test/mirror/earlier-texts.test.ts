// What reports tell of the texts of an earlier snapshot, which are kept as differences from those that came after.
import { describe, expect, it } from 'vitest';
import { recipeOf, runQuery } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror, type WorldSpec } from '../support/mirror-builder.ts';
import { rowsOf } from '../support/state.ts';

const SAID = `Said before. ${'Word after word. '.repeat(20)}`;

function worldOf(one: string, two: string): WorldSpec {
  const pages = [
    { id: 'one', title: 'One', text: one },
    { id: 'two', title: 'Two', text: two },
  ];
  return { spaces: [{ id: 'guide', title: 'Guide', pages }] };
}

/** Two pages that said the same, and say something else now. */
async function rewritten(): Promise<TestMirror> {
  const made = await createTestMirror();
  await made.add(worldOf(SAID, SAID));
  await made.add(worldOf(`${SAID} And here.`, `${SAID} And there.`));
  return made;
}

describe('reports on the texts of an earlier snapshot', () => {
  it('count all of their bytes: largest-spaces left out each page that was edited since', async () => {
    using made = await rewritten();
    const bytes = 2 * Buffer.byteLength(`# One\n\n${SAID}`);
    expect(runQuery(made.dataDir, recipeOf('largest-spaces')?.sql ?? '', 1).rows).toEqual([['Guide', 2, bytes, 0]]);
  });

  it('find what was the same then: duplicates left out each page that was edited since', async () => {
    using made = await rewritten();
    const { rows } = runQuery(made.dataDir, recipeOf('duplicates')?.sql ?? '', 1);
    expect(rows.map(([copies]) => copies)).toEqual([2]);
  });

  it('can compare them by their hashes in any tool, and by their sizes in ours', async () => {
    using made = await rewritten();
    const hashes = `select count(*) as n, count(markdown_hash) as told, count(distinct markdown_hash) as others from pages_history where id = 'one'`;
    expect(rowsOf(made.mirror, hashes)).toEqual([{ n: 2, told: 2, others: 2 }]);
    const sizes = `select count(*), count(markdown_bytes) from pages_history`;
    expect(runQuery(made.dataDir, sizes, null).rows).toEqual([[4, 4]]);
  });
});
