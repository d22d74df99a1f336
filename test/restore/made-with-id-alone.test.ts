// A target that answers what it made with its id and nothing else.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { invite, organize } from '../support/organization.ts';
import { createTarget } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

it('restore/apply takes an id alone for an answer: custom fields were noted as "undefined", and verify missed all of them', async () => {
  await using world = await TestWorld.create();
  await organize(world);
  await world.sync();
  await using target = await createTarget(world);
  invite(target, ['robin', 'kim', 'noor']);
  await using proxy = await rewriting(world, target.platform);
  const { client } = proxy;
  const plan = await target.plan({ client, targetUrl: proxy.url });
  let made = 0;
  proxy.rewrite = ({ method }, { status, body }) => {
    if (method === 'GET' || status !== 201 || !isRecord(body) || body['id'] === undefined) return undefined;
    made++;
    return { status, body: { id: body['id'] } };
  };
  const { restore, failures } = await target.apply(plan, { client });
  expect([made > 0, failures]).toEqual([true, []]);
  await target.platform.settle();
  expect(await target.verify(restore)).toMatchObject({ passed: true, differences: [] });
});
