import { expect, it } from 'vitest';
import { createTestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot } from '../support/snapshots.ts';
import { visitor } from '../support/status-visitor.ts';

const SPACE = { spaceId: 's' };
const SIGNS = {
  '1f44b': '👋',
  '1F468-200d-1f469': '👨\u200D👩',
  '2764-fe0f': '❤\uFE0F',
  '🙂': '🙂',
  rocket: 'rocket',
  face: 'face',
  e99999: 'e99999',
};

it('status shows the sign of a space and a page that is told by its codes: "1f44b Home" stood in the tree', async () => {
  using made = await createTestMirror();
  const signs = Object.keys(SIGNS);
  takeSnapshot(made.mirror, ({ see }) => {
    see({ kind: 'space', params: SPACE, body: { object: 'space', id: 's', title: 'Guide', emoji: '1f4d9' } });
    for (const [position, emoji] of signs.entries()) {
      const body = { id: `p${position}`, type: 'document', title: 'Home', emoji };
      see({ kind: 'page', params: { ...SPACE, pageId: body.id }, body, text: 'Text', parent: null, position });
    }
  });
  const visit = visitor(made);
  expect((await visit('/browse')).text).toMatch(/<li>📙 <a [^>]*>Guide<\/a>/);
  const { text } = await visit('/browse/spaces/s');
  expect(text).toContain('<h1 class="title">📙 Guide</h1>');
  expect(Array.from(text.matchAll(/>([^<>]*) Home<\/a>/g), ([, sign]) => sign)).toEqual(Object.values(SIGNS));
  expect((await visit('/browse/spaces/s/pages/p0')).text).toContain('<h1 class="title">👋 Home</h1>');
});
