// A target, or what stands before it, that does what it is asked and then answers with something else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edit } from '../support/content.ts';
import { walkedWorld } from '../support/furnished.ts';
import { mirroredAnew } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let undisturbed: Record<string, number>;

beforeAll(async () => {
  world = await walkedWorld();
  await using target = await createTarget(world);
  await target.apply(await target.plan());
  undisturbed = await target.counts();
});

afterAll(() => world[Symbol.asyncDispose]());

const MAKING = [
  { what: 'a collection', at: /\/collections$/ },
  { what: 'a space', at: /\/spaces$/ },
  { what: 'a change request', at: /\/change-requests$/ },
  { what: 'a comment', at: /\/spaces\/[^/]+\/comments$/ },
  { what: 'a comment on a change request', at: /\/change-requests\/[^/]+\/comments$/ },
] as const;

describe('restore into a target that answers without the id of what it made', () => {
  it.each([{}, null])('finds the first of each kind that it makes, and makes it once (%j)', async (body) => {
    await using target = await createTarget(world);
    await using proxy = await rewriting(world, target.platform);
    const { client } = proxy;
    const left = new Set(MAKING);
    proxy.rewrite = ({ method, path }) => {
      const made = method === 'POST' ? [...left].find(({ at }) => at.test(path)) : undefined;
      return made !== undefined && left.delete(made) ? { status: 201, body } : undefined;
    };
    const plan = await target.plan({ client, targetUrl: proxy.url });
    const { restore, ...result } = await target.apply(plan, { client });
    expect([...left]).toEqual([]);
    expect(result).toMatchObject({ failed: 0, skipped: 0 });
    const { counts, passed } = await target.verifyCounting(restore);
    expect([counts, passed]).toEqual([undisturbed, true]);
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

it('restore/steps/content: content is held out to a platform that answers an import before it fetches what it is to import: no page of any space came', async () => {
  await using target = await createTarget(world);
  const { platform } = target;
  await using proxy = await rewriting(world, platform);
  const { client } = proxy;
  const isImport = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path.endsWith('/content/import');
  let wanted = '';
  let late: Promise<unknown> = Promise.resolve();
  proxy.send = (asked, text) => {
    if (!isImport(asked)) return undefined;
    wanted = text;
    return '{}';
  };
  proxy.rewrite = (asked) => {
    if (!isImport(asked)) return undefined;
    const headers = { authorization: `Bearer ${platform.token}`, 'content-type': 'application/json' };
    late = fetch(new URL(asked.path, platform.url), { method: 'POST', headers, body: wanted });
    return { status: 202, body: {} };
  };
  const sleep = async (ms: number): Promise<void> => {
    await late;
    await world.sleepless.sleep(ms);
  };
  const plan = await target.plan({ client, targetUrl: proxy.url });
  const result = await target.apply(plan, { client, clock: { ...world.sleepless, sleep } });
  expect(result).toMatchObject({ failed: 0, skipped: 0, lacking: 0 });
  expect(await target.verify(result.restore)).toMatchObject({ passed: true });
});

const WRITING = [
  { what: 'a collection that is set back', by: 'PATCH', at: /\/collections\/[^/]+$/ },
  { what: 'a space that is moved back', by: 'POST', at: /\/spaces\/[^/]+\/move$/ },
  { what: 'a change request that is merged', by: 'POST', at: /\/change-requests\/[^/]+\/merge$/ },
] as const;

describe('restore into a platform that answers a write as if it were nothing', () => {
  const anew = mirroredAnew();

  it.each([
    ['is done', true],
    ['is not', false],
  ])('says so of each, which passed for done, and comes to its end with a resume (it %s)', async (_what, isDone) => {
    const { world: own, made, place } = await anew();
    await using _own = own;
    await using proxy = await rewriting(own);
    await own.api.updateCollection({ path: { collectionId: made.nested }, body: { title: 'Bad' } });
    await own.api.moveSpace({ path: { spaceId: made.news }, body: { parent: made.collection } });
    await edit(own, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
    const plan = await place.plan();
    const left = new Set(WRITING);
    const answered: Rewriting['before'] = ({ method, path }) => {
      const written = [...left].find(({ by, at }) => method === by && at.test(path));
      return written !== undefined && left.delete(written) ? { status: 200, body: {} } : undefined;
    };
    proxy[isDone ? 'rewrite' : 'before'] = answered;
    const { restore, failures } = await place.apply(plan, { client: proxy.client });
    expect([...left]).toEqual([]);
    expect(failures.map(({ error }) => error)).toEqual(
      WRITING.map(() => expect.stringMatching(/200 with an object without (?:id|result)/) as unknown),
    );
    expect(await place.resume(restore)).toMatchObject({ failed: 0, skipped: 0 });
    expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
  });
});
