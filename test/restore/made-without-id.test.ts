// A target, or what stands before it, that does what it is asked and then answers with something else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edit } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { mirroredAnew } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let undisturbed: Record<string, number>;

beforeAll(async () => {
  world = await furnishedWorld();
  await world.sync();
  await using target = await createTarget(world);
  await target.apply(await target.plan());
  undisturbed = await target.counts();
});

afterAll(() => world[Symbol.asyncDispose]());

const MAKING = [
  ['a collection', /\/collections$/],
  ['a space', /\/spaces$/],
  ['a change request', /\/change-requests$/],
  ['a comment', /\/spaces\/[^/]+\/comments$/],
  ['a comment on a change request', /\/change-requests\/[^/]+\/comments$/],
] as const;

describe('restore into a target that answers without the id of what it made', () => {
  it.each(MAKING)('finds %s and makes it once', async (_what, path) => {
    for (const body of [{}, null]) {
      await using target = await createTarget(world);
      await using proxy = await rewriting(world, target.platform);
      const { client } = proxy;
      let answered = 0;
      proxy.rewrite = (asked) =>
        asked.method === 'POST' && path.test(asked.path) && answered++ === 0 ? { status: 201, body } : undefined;
      const plan = await target.plan({ client, targetUrl: proxy.url });
      const { restore, ...result } = await target.apply(plan, { client });
      expect(answered).toBeGreaterThan(0);
      expect(result).toMatchObject({ failed: 0, skipped: 0 });
      const { counts, passed } = await target.verifyCounting(restore);
      expect([counts, passed]).toEqual([undisturbed, true]);
    }
  });

  it('says so where it cannot be found either, and finds it with a resume', async () => {
    await using target = await createTarget(world);
    await using proxy = await rewriting(world, target.platform);
    const { client } = proxy;
    let answered = 0;
    proxy.rewrite = ({ method, path }) => {
      if (!path.split('?')[0]?.endsWith('/collections')) return undefined;
      if (method === 'POST') return answered++ === 0 ? { status: 201, body: {} } : undefined;
      return answered === 1 ? { status: 403, body: { error: { code: 403, message: 'Not now' } } } : undefined;
    };
    const plan = await target.plan({ client, targetUrl: proxy.url });
    const { restore, failures } = await target.apply(plan, { client });
    expect(failures[0]?.error).toMatch(/answered 201 with an object without id/);
    proxy.rewrite = () => undefined;
    expect(await target.resume(restore, { client })).toMatchObject({ failed: 0, skipped: 0 });
    expect(await target.counts()).toEqual(undisturbed);
  });

  it('says of an import that is answered without its counts that nobody knows how much came', async () => {
    await using target = await createTarget(world);
    await using proxy = await rewriting(world, target.platform);
    const { client } = proxy;
    proxy.rewrite = ({ method, path }) =>
      method === 'POST' && path.endsWith('/content/import') ? { status: 202, body: {} } : undefined;
    const result = await target.apply(await target.plan({ client, targetUrl: proxy.url }), { client });
    expect(result).toMatchObject({ failed: 0, skipped: 0 });
    const said = new Set(result.failures.map(({ error }) => error));
    expect(said).toContain('the platform did not say how many of the resources it imported');
    expect([...said].join(' ')).not.toContain('undefined');
    expect(await target.verify(result.restore)).toMatchObject({ passed: true });
  });
});

const WRITING = [
  ['a collection that is set back', 'PATCH', /\/collections\/[^/]+$/],
  ['a space that is moved back', 'POST', /\/spaces\/[^/]+\/move$/],
  ['a change request that is merged', 'POST', /\/change-requests\/[^/]+\/merge$/],
] as const;

describe('restore into a platform that answers a write as if it were nothing', () => {
  const anew = mirroredAnew();

  it.each(WRITING)(
    'says so of %s, which passed for done, and comes to its end with a resume',
    async (_what, by, at) => {
      for (const isDone of [true, false]) {
        const { world: own, made, place } = await anew();
        await using _own = own;
        await using proxy = await rewriting(own);
        await own.api.updateCollection({ path: { collectionId: made.nested }, body: { title: 'Bad' } });
        await own.api.moveSpace({ path: { spaceId: made.news }, body: { parent: made.collection } });
        await edit(own, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
        const plan = await place.plan();
        let seen = 0;
        proxy.before = ({ method, path }) =>
          !isDone && method === by && at.test(path) && seen++ === 0 ? { status: 200, body: {} } : undefined;
        proxy.rewrite = ({ method, path }) =>
          isDone && method === by && at.test(path) && seen++ === 0 ? { status: 200, body: {} } : undefined;
        const { restore, failures } = await place.apply(plan, { client: proxy.client });
        expect(failures.map(({ error }) => error)).toEqual([
          expect.stringMatching(/200 with an object without (?:id|result)/),
        ]);
        expect(await place.resume(restore)).toMatchObject({ failed: 0, skipped: 0 });
        expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
      }
    },
  );
});
