// A link page has a target; that its address is said beside it as well is up to the platform.
import { expect, it } from 'vitest';
import { addSpace, importFiles } from '../support/content.ts';
import { bare } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';

function withoutHref(value: unknown): unknown {
  const leave = (key: string, one: unknown): unknown => (key === 'href' ? undefined : one);
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value), leave) as unknown);
}

it('restore/apply finds the link pages that it made by their targets: they were called missing, and verified so, where the platform says no address beside them', async () => {
  const { world } = await bare(async (world) => {
    const space = await addSpace(world, 'Linking');
    await importFiles(world, space, {
      'SUMMARY.md': '* [Out](https://example.com/a)\n* [Out](https://example.com/b)\n',
    });
  });
  await using _world = world;
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  proxy.rewrite = (_asked, { status, body }) => ({ status, body: withoutHref(body) });
  const plan = await target.plan({ client: proxy.client, targetUrl: proxy.url });
  const { restore, failures } = await target.apply(plan, { client: proxy.client });
  expect(failures).toEqual([]);
  expect(await target.verify(restore)).toMatchObject({ passed: true });
});
