import { describe, expect, it } from 'vitest';
import { detailOf, diffSnapshots, isSame, type DifferenceDetail } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { createReportedMirror } from '../support/reported-world.ts';
import { collection, page, takeSnapshot } from '../support/snapshots.ts';

function details(made: Pick<TestMirror, 'mirror'>, from: number, to: number): DifferenceDetail[] {
  return [...diffSnapshots(made.mirror, [from, to])].map((one) => detailOf(made.mirror, [from, to], one));
}

/** A text of numbered lines, some of them replaced. */
function text(lines: number, edits: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: lines }, (_, index) => `${edits[index] ?? `Line ${index}`}\n`).join('');
}

describe('mirror/diff', () => {
  it('limits what it looks at to a kind or a space', async () => {
    using made = await createReportedMirror();
    const keys = (filter: Parameters<typeof diffSnapshots>[2]): string[] =>
      [...diffSnapshots(made.mirror, [1, 2], filter)].map(({ key }) => key);
    expect(keys({})).toEqual(['guide/mended', 'guide/added', 'guide/start', 'notes/gone']);
    expect(keys({ kind: 'link' })).toEqual(['guide/mended']);
    expect(keys({ space: 'notes' })).toEqual(['notes/gone']);
    expect(keys({ kind: 'page', space: 'guide' })).toEqual(['guide/added', 'guide/start']);
    expect(keys({ space: 'nowhere' })).toEqual([]);
  });
});

describe('mirror/diff-detail', () => {
  it('shows a text line by line, also when the old one is stored as a difference', async () => {
    using made = await createTestMirror();
    for (const night of [1, 2, 3, 4])
      takeSnapshot(made.mirror, ({ see }) => see(page('p1', text(40, { 10: `Night ${night}` }))));
    for (const [from, to] of [
      [1, 4],
      [3, 1],
    ] as const) {
      const [found] = details(made, from, to);
      expect(found?.text).toEqual({
        added: 1,
        removed: 1,
        hidden: 0,
        lines: [
          '@@ -8,7 +8,7 @@',
          ' Line 7',
          ' Line 8',
          ' Line 9',
          `-Night ${from}`,
          `+Night ${to}`,
          ' Line 11',
          ' Line 12',
          ' Line 13',
        ],
      });
      expect(found?.fields.map(({ field }) => field)).toEqual(['documentId']);
    }
  });

  it('names the fields that changed, came and went', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'A', emoji: 'x', nested: { a: [1, 2] } })));
    takeSnapshot(made.mirror, ({ see }) => see(collection('c1', { title: 'B', nested: { a: [1, 3] }, level: 'read' })));
    expect(details(made, 1, 2)).toEqual([
      {
        kind: 'collection',
        key: 'c1',
        change: 'changed',
        label: 'B',
        space: null,
        text: null,
        fields: [
          { field: 'title', before: 'A', after: 'B' },
          { field: 'emoji', before: 'x' },
          { field: 'nested', before: { a: [1, 2] }, after: { a: [1, 3] } },
          { field: 'level', after: 'read' },
        ],
      },
    ]);
  });

  it('tells a move from an edit, and a page that came with all its lines', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => see({ ...page('p1', text(3)), position: 0 }));
    takeSnapshot(made.mirror, ({ see }) => {
      see({ ...page('p1', text(3)), position: 4 });
      see(page('p2', text(2)));
    });
    const [moved, added] = details(made, 1, 2);
    expect(moved).toMatchObject({ text: null, fields: [{ field: 'position', before: 0, after: 4 }] });
    expect(added).toMatchObject({ change: 'added', fields: [], text: { added: 2, removed: 0 } });
    expect(details(made, 2, 1).map(({ change }) => change)).toEqual(['changed', 'removed']);
  });

  it('knows what was changed and changed back', async () => {
    using made = await createTestMirror();
    for (const word of ['one', 'two', 'one'])
      takeSnapshot(made.mirror, ({ see }) => see(page('p1', text(20, { 5: word }))));
    expect(details(made, 1, 3)).toEqual([]);
    expect(details(made, 2, 3).filter((one) => !isSame(one))).toHaveLength(1);
  });

  it('stays bounded when a text was rewritten from its first line to its last', async () => {
    using made = await createTestMirror();
    const other = Array.from({ length: 9000 }, (_, index) => `Other ${index * 7}`).join('\n');
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', text(9000))));
    takeSnapshot(made.mirror, ({ see }) => see(page('p1', other)));
    const [found] = details(made, 1, 2);
    expect(found?.text).toMatchObject({ added: 9000, removed: 9000, hidden: 17_600 });
    expect(found?.text?.lines).toHaveLength(400);
  });
});
