// Document trees, which stand beside the texts that they are of.
import { expect, it } from 'vitest';
import { countsOf, documentOfText } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { page, takeSnapshot } from '../support/snapshots.ts';

function tree(id: string, text: string) {
  const body = { documentId: 'd', document: { object: 'document', nodes: [{ text }] } };
  return { kind: 'page-document' as const, params: { spaceId: 's1', pageId: id }, body };
}

it('mirror/counts says of a tree that is told otherwise of the same text that it changed, and of a new one that it was added', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  for (const [text, more] of [
    ['one', []],
    ['other', ['b']],
  ] as const)
    takeSnapshot(mirror, ({ see }) => {
      for (const id of ['a', ...more]) {
        see(page(id, 'text'));
        see(tree(id, text));
      }
    });
  expect(countsOf(mirror, 2)['page-document']).toMatchObject({ seen: 2, added: 1, changed: 1 });
});

it('mirror/request-texts gives no tree that is damaged to a change request that shows its text', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  takeSnapshot(mirror, ({ see }) => {
    see(page('a', 'text'));
    see(tree('a', 'one'));
  });
  const asked = { main: 's1/a', text: 'd' };
  expect(documentOfText(mirror, asked)).toEqual(tree('a', 'one').body);
  mirror.store.driver.exec(`update bodies set data = replace(data, '"one"', '"two"')`);
  expect(documentOfText(mirror, asked)).toBeUndefined();
});
