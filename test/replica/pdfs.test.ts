// The PDFs of change requests: the mirror keeps one of each, of all its pages.
import { expect, it } from 'vitest';
import { addRequest, addSpace, importFiles, insert, pagesOf } from '../support/content.ts';
import { askingReplica } from '../support/replica.ts';
import { TestWorld } from '../support/world.ts';

it('replica/answer gives no PDF of another content than was asked for: for one page, and for one that is not there, it was that of all pages', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  await importFiles(world, space, { 'README.md': '# Home\n\nText.\n' });
  const { Home = '' } = await pagesOf(world, space);
  const { id } = await addRequest(world, space, { subject: 'Proposal', changes: [insert('New', 'Text.')] });
  await world.sync({ settings: { pdfs: true } });
  const ask = askingReplica(world.dataDir);
  const target = `/v1/spaces/${space}/change-requests/${id}/pdf`;
  const headers = { authorization: `Bearer ${world.platform.token}` };
  const refused = ['?only=true', '?page=none', '?page=none&only=true'];
  for (const query of ['', '?only=false', ...refused]) {
    const { status } = await fetch(`${world.platform.url}${target}${query}`, { headers });
    expect([query, ask(`${target}${query}`).status]).toEqual([query, status]);
  }
  for (const query of [`?page=${Home}`, `?page=${Home}&only=true`]) {
    const { status, body } = ask(`${target}${query}`);
    expect([query, status]).toEqual([query, 501]);
    expect(JSON.stringify(body)).toContain('of the whole change request');
  }
});
