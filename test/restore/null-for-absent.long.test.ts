// A platform that says null where the embedded one leaves a field out.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { addCollection, addSpace, edit, importFiles, insert } from '../support/content.ts';
import { wholeWorld } from '../support/furnished.ts';
import { inPlace, mirrored } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { changing, rewriting, type Rewrite } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const OPTIONAL: Readonly<Record<string, object>> = {
  space: { deletedAt: null, parent: null },
  collection: { parent: null, description: null },
  'site-space': { section: null },
};
const OF_A_PAGE = { computed: null, documentId: null, description: null };

function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (!isRecord(value)) return value;
  const own = Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, withNulls(inner)]));
  const isPage = own['type'] !== undefined && own['slug'] !== undefined;
  return { ...(isPage ? OF_A_PAGE : OPTIONAL[String(own['object'])]), ...own };
}

const nulls: Rewrite = (_asked, { status, body }) =>
  Buffer.isBuffer(body) ? undefined : { status, body: withNulls(body) };

it('restore/apply finds again what it made outside of any collection and section: all that stands on it failed', async () => {
  await using world = await wholeWorld();
  await addCollection(world, 'At the top');
  await world.sync();
  await using undisturbed = await createTarget(world);
  await undisturbed.apply(await undisturbed.plan());
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const { client } = proxy;
  proxy.rewrite = nulls;
  const plan = await target.plan({ client, targetUrl: proxy.url });
  const lost = ['createCollection', 'createSpace', 'createSiteSpace'] as const;
  target.platform.faults = lost.map((operation) => ({ operation, effect: 'cut-after' as const }));
  const { restore, failures } = await target.apply(plan, { client });
  target.platform.faults = [];
  expect(failures).toEqual([]);
  const { counts, passed } = await target.verifyCounting(restore);
  expect([counts, passed]).toEqual([await undisturbed.counts(), true]);
});

it('restore/apply in place takes no page for a computed one, and no space for a deleted one, whose field is null', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  await using proxy = await rewriting(world);
  const { client } = proxy;
  proxy.rewrite = nulls;
  await edit(world, made.guide, insert('Empty', ''));
  const { snapshot } = await world.sync({ client, mode: 'full' });
  expect(snapshot).toMatchObject({ state: 'complete' });
  await world.api.updateSpace({ path: { spaceId: made.news }, body: { title: 'Bad' } });
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  await edit(world, made.guide, insert('Added since', 'By somebody.'));
  const through = inPlace(world, client);
  const plan = await through.plan({ snapshot: snapshot.id });
  expect(plan.preflight.find(({ check }) => check === 'added since')?.detail).toContain('1 page');
  const { restore, failures } = await through.apply(plan, { client });
  expect(failures).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ passed: true });
});

it('restore/plan plans nothing for what is null: a change request for the emoji of groups and links that have none, and settings of a site that has none', async () => {
  await using world = await TestWorld.create();
  const space = await addSpace(world, 'Guide');
  const contents = '## Part\n\n* [Page](page.md)\n\n---\n\n* [Out](https://example.com/)\n';
  await importFiles(world, space, { 'SUMMARY.md': contents, 'page.md': '# Page\n' });
  await world.api.createSite({
    path: { organizationId: world.organization },
    body: { title: 'Docs', spaces: [space] },
  });
  await using proxy = await rewriting(world);
  const OF_ALL = { emoji: null, icon: null, adaptiveContent: null, proxy: null };
  proxy.rewrite = changing((one) => ('title' in one ? { ...OF_ALL, ...one } : one));
  await using target = await createTarget(world);
  await world.sync({ client: proxy.client });
  const { steps } = await target.plan();
  const planned = steps.map(({ kind, part }) => `${kind} ${part}`);
  expect(planned).toContain('site create');
  expect(planned.filter((step) => step === 'revision name' || step === 'site settings')).toEqual([]);
});
