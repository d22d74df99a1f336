// A target, or what stands before it, that does what it is asked and then answers with something else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish } from '../support/content.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

let world: TestWorld;
let undisturbed: Record<string, number>;

beforeAll(async () => {
  world = await TestWorld.create();
  await furnish(world);
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
  it.each(MAKING)('says so of %s, finds it with a resume and makes it once', async (_what, path) => {
    for (const body of [{}, null]) {
      await using target = await createTarget(world);
      await using proxy = await rewriting(world, target.platform);
      const { client } = proxy;
      let answered = 0;
      proxy.rewrite = (asked) =>
        asked.method === 'POST' && path.test(asked.path) && answered++ === 0 ? { status: 201, body } : undefined;
      const { restore, failures } = await target.apply(await target.plan({ client, targetUrl: proxy.url }), { client });
      const [first] = failures;
      expect(first?.error).toMatch(/answered 201 with (null; expected a JSON object|an object without id)/);
      expect(await target.resume(restore, { client })).toMatchObject({ failed: 0, skipped: 0 });
      expect(await target.counts()).toEqual(undisturbed);
      expect(await target.verify(restore)).toMatchObject({ passed: true });
    }
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
