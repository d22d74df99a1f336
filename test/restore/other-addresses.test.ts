// A platform that makes other addresses of what it imports than the one that was mirrored.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, importFiles, insert, pagesOf } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it('restore/apply knows pages by title where the target gives them other addresses: they were missed, with their comments and links', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Manual');
  await importFiles(world, space, {
    'SUMMARY.md': '# Table of contents\n\n* [Manual](README.md)\n* [Set up](setup.md)\n  * [Deep](setup/deep.md)\n',
    'README.md': '# Manual\n\nOne\n',
    'setup.md': '# Set up\n\nTwo\n',
    'setup/deep.md': '# Deep\n\nThree\n',
  });
  const { Deep: page = '' } = await pagesOf(world, space);
  await edit(world, space, insert('Links', `[deep](/pages/${page})`));
  await world.api.createComment({ path: { spaceId: space }, body: { page, body: { markdown: 'Well' } } });
  await addRequest(world, space, { subject: 'More', changes: [insert('Added', `[deep](/pages/${page})`)] });
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  proxy.rewrite = (_asked, { status, body }) =>
    body === undefined || Buffer.isBuffer(body)
      ? undefined
      : {
          status,
          body: JSON.parse(JSON.stringify(body).replaceAll(/"(slug|path)":"setup/g, '"$1":"set-up')) as unknown,
        };
  const { client } = proxy;
  const { failures } = await target.apply(await target.plan({ client, targetUrl: proxy.url }), { client });
  expect(failures).toEqual([]);
  const { items } = await target.client.api.listMemberSpaces({
    path: { organizationId: target.organization, userId: target.platform.owner },
  });
  const path = { spaceId: items[0]?.space.id ?? '' };
  const found = flatten((await target.client.api.getRevision({ path })).pages);
  expect(found.map(({ title }) => title)).toEqual(['Manual', 'Set up', 'Deep', 'Links']);
  const deep = found[2]?.id ?? '';
  const { items: comments } = await target.client.api.listComments({ path, query: { format: 'markdown' } });
  expect(comments.map((one) => one.target?.page?.id)).toEqual([deep]);
  const text = { path: { ...path, pageId: found[3]?.id ?? '' }, query: { format: 'markdown' as const } };
  expect(await target.client.api.getPage(text)).toMatchObject({
    markdown: expect.stringContaining(`/pages/${deep}`) as unknown,
  });
});
