// A target that does what it is asked, and says less of it than the API promises.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { edit } from '../support/content.ts';
import { walkedWholeWorld } from '../support/furnished.ts';
import { mirroredAnew } from '../support/in-place.ts';
import { invite } from '../support/organization.ts';
import { createTarget } from '../support/restore.ts';
import { changing, rewriting, type Rewrite } from '../support/rewriting.ts';

const anew = mirroredAnew();

const idAlone: Rewrite = ({ method }, { status, body }) =>
  method !== 'GET' && status === 201 && isRecord(body) && body['id'] !== undefined
    ? { status, body: { id: body['id'] } }
    : undefined;

/** What was made is answered with its id, all else with one of these in turn, and nothing. */
function statusAlone(...told: readonly number[]): Rewrite {
  let answers = 0;
  return ({ method, path }, { status }) => {
    const makes = status === 201 || /\/(comments|replies)$/.test(path);
    const isOther = method === 'GET' || status >= 300 || makes;
    return isOther ? undefined : { status: told[answers++ % told.length] ?? 0, body: undefined };
  };
}

it.each([
  ['an id alone for an answer: custom fields were noted as "undefined", and verify missed all of them', idAlone],
  ['204 for the success of what makes nothing: it failed each time, and no resume came to its end', statusAlone(204)],
  ['202 and nothing for it, as something that goes on in the background, and 200 and nothing', statusAlone(202, 200)],
])('restore/apply takes %s', async (_what, rewrite) => {
  await using world = await walkedWholeWorld();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  invite(target, ['robin', 'kim', 'noor']);
  const plan = await target.plan({ client: proxy.client, targetUrl: proxy.url });
  proxy.rewrite = rewrite;
  const { restore, failures } = await target.apply(plan, { client: proxy.client });
  expect(failures).toEqual([]);
  await target.platform.settle();
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});

it('restore/verify takes from the target that it names no kinds and no sizes: each was an exact difference', async () => {
  await using world = await walkedWholeWorld();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  invite(target, ['robin', 'kim', 'noor']);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  await target.platform.settle();
  const lean = changing(({ object: _kind, size: _size, ...one }) => one);
  proxy.rewrite = (asked, answer) => (asked.path.includes('/content/page/') ? undefined : lean(asked, answer));
  const { passed, differences } = await target.verify(restore, { client: proxy.client });
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
});

it('restore/apply in place takes 204 for the success of a merge, of a move and of a space out of the bin', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  await world.api.deleteSpace({ path: { spaceId: made.news } });
  await world.api.updateCollection({ path: { collectionId: made.nested }, body: { title: 'Bad' } });
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  const plan = await place.plan();
  await using proxy = await rewriting(world);
  proxy.rewrite = statusAlone(204);
  const { restore, failures } = await place.apply(plan, { client: proxy.client });
  expect(failures).toEqual([]);
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
});

it('restore/apply says of an import in parts that the platform did not tell how much it took: it spoke of NaN of NaN resources', async () => {
  const { world } = await anew();
  await using _world = world;
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const limits = { client: proxy.client, importLimits: { maxPages: 1, maxBytes: null } };
  const plan = await target.plan({ ...limits, targetUrl: proxy.url });
  proxy.rewrite = ({ path }) => (path.endsWith('/import') ? { status: 200, body: undefined } : undefined);
  const { failures } = await target.apply(plan, limits);
  expect(failures.map(({ error }) => error)).toContain(
    'the platform did not say how many of the resources it imported',
  );
  expect(failures.filter(({ error }) => error.includes('NaN'))).toEqual([]);
});
