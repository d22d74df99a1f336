// The document trees of pages in change requests: kept as the platform gave them, once for a text that a space and its request share.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addRequest, addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { askingReplica } from '../support/replica.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it('replica/content gives the document tree of a page that a change request shows as its space does: it made one up from the Markdown', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, { 'README.md': '# Home\n\nText.\n', 'later.md': '# Later\n\nThen.\n' });
  const { Home = '', Later = '' } = await pagesOf(world, space);
  const { id } = await addRequest(world, space, { subject: 'Proposal', changes: [insert('New', 'Text.')] });
  await edit(world, space, { type: 'update_page', page: Later, document: { markdown: 'Now.' } });
  await using proxy = await rewriting(world);
  // What no Markdown tells: only the platform's own tree has it.
  proxy.rewrite = ({ query }, { status, body }) =>
    query.get('format') === 'document' && isRecord(body) && isRecord(body['document'])
      ? { status, body: { ...body, document: { ...body['document'], data: { schemaVersion: 7 } } } }
      : undefined;
  await world.sync({ client: proxy.client, settings: { documents: true } });
  const ask = askingReplica(world.dataDir);
  const shown = (page: string): unknown =>
    ask(`/v1/spaces/${space}/change-requests/${id}/content/page/${page}?format=document`).body;
  expect(shown(Home)).toMatchObject({ document: { data: { schemaVersion: 7 } } });
  const later = shown(Later);
  expect(later).toMatchObject({ document: { data: { schemaVersion: 7 } } });
  expect(JSON.stringify(later)).toContain('Then.');
});
