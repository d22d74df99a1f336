// Groups and links have no file of their own in an import: where a change request moves them, the old ones go by an edit.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, importFiles, insert, pagesOf, type Change } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const SUMMARY =
  '# Table of contents\n\n* [Home](home.md)\n\n## First\n\n* [A](first/a.md)\n* [Out](https://example.com/out)\n';

it('restore/apply moves a group with a link in it, as a change request does: the old group stayed in it for the link', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Manual');
  await importFiles(world, space, {
    'SUMMARY.md': SUMMARY,
    'home.md': '# Home\n\nOne\n',
    'first/a.md': '# A\n\nTwo\n',
  });
  await addRequest(world, space, { subject: 'Moved', changes: [insert('Added', 'Three')] });
  await using proxy = await rewriting(world);
  proxy.rewrite = ({ path }, { status, body }) =>
    /\/change-requests\/[^/]+\/content/.test(path)
      ? {
          status,
          body: JSON.parse(
            JSON.stringify(body)
              .replaceAll(/"first(["/])/g, '"second$1')
              .replace('"First"', '"Second"'),
          ),
        }
      : undefined;
  expect((await world.sync({ client: proxy.client })).snapshot).toMatchObject({ state: 'complete' });
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const { items } = await target.client.api.listMemberSpaces({
    path: { organizationId: target.organization, userId: target.platform.owner },
  });
  const spaceId = items[0]?.space.id ?? '';
  const [request] = (await target.client.api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } }))
    .items;
  const path = { spaceId, changeRequestId: request?.id ?? '' };
  const { pages } = await target.client.api.getChangeRequestRevision({ path });
  expect(flatten(pages).map(({ title, path: at }) => `${title} ${at ?? ''}`.trim())).toEqual([
    'Home home',
    'Second second',
    'A second/a',
    'Out',
    'Added added',
  ]);
  const { passed, differences } = await target.verify(restore);
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
});

it('restore/apply brings pages that a change request makes anew at the addresses of others: they were taken away again without a word', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Manual');
  await edit(world, space, insert('A', 'Of A.'), insert('B', 'Of B.'));
  const { A: a = '', B: b = '' } = await pagesOf(world, space);
  const changes: Change[] = [
    { type: 'delete_page', page: a },
    { type: 'update_page', page: b, title: 'Bee', slug: 'bee' },
    insert('A', 'Another A.'),
    insert('B', 'Another B.'),
  ];
  await addRequest(world, space, { subject: 'Anew', changes });
  await world.sync();
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const { passed, differences } = await target.verify(restore);
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
});
