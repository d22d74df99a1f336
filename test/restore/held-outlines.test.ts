import { expect, it } from 'vitest';
import { readerAt, type SnapshotReader } from '../../src/mirror/index.ts';
import { withOutlinesHeld } from '../../src/restore/content/held-outlines.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

it('restore/content/held-outlines reads an outline once for many imports: each of them read all pages of the space', async () => {
  using made = await createTestMirror();
  const page = (id: string) => ({ id, title: id, text: 'x', pages: [] });
  await made.add({ spaces: ['s', 't'].map((id) => ({ id, title: id, pages: [page(`${id}1`), page(`${id}2`)] })) });
  const reader = readerAt(made.mirror, 1);
  const read: string[] = [];
  const counting: SnapshotReader = {
    ...reader,
    outline: (kind, within, options) => {
      read.push(`${kind} ${within ?? 'all'}`);
      return reader.outline(kind, within, options);
    },
  };
  const held = withOutlinesHeld(counting);
  for (const space of ['s', 't', 's'])
    expect([...held.outline('page', space)]).toEqual([...reader.outline('page', space)]);
  expect(read).toEqual(['page s', 'page t']);
  // A part of it, or with texts, is another matter.
  expect([...held.outline('page', 's', { texts: true })].map(({ text }) => text)).toEqual(['# s1\n\nx', '# s2\n\nx']);
  expect([...held.outline('page')]).toHaveLength(4);
});
