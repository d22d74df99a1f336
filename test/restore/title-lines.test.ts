// Whether the Markdown of a page begins with its title is said nowhere in the API document: platforms do either.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { edit, insert } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { drill } from '../support/restore.ts';
import { rewriting, type Rewrite } from '../support/rewriting.ts';

const withoutTitles: Rewrite = (_asked, { status, body }) =>
  isRecord(body) && typeof body['markdown'] === 'string'
    ? { status, body: { ...body, markdown: body['markdown'].replace(/^# .*\n*/, '') } }
    : undefined;

it('restore/drill passes for a platform whose texts do not begin with their titles: each text was called different, and no drill ever passed', async () => {
  await using world = await furnishedWorld();
  const { guide } = world.made;
  await edit(world, guide, insert('Empty', ''), insert('With a heading', '# With a heading\n\n# Of its own\n\nText.'));
  await using proxy = await rewriting(world);
  proxy.rewrite = withoutTitles;
  await world.sync({ client: proxy.client, mode: 'full' });
  const { passed, differences } = await drill(world);
  expect(differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect(passed).toBe(true);
});
