// An upgrade of the platform that calls a field otherwise: every request is answered, and every answer lacks the same.
import { expect, it } from 'vitest';
import { addSpace } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';

function labelled(value: unknown): unknown {
  const said = JSON.stringify(value) as string | undefined;
  return said === undefined ? value : (JSON.parse(said.replaceAll('"title":', '"label":')) as unknown);
}

it('walk is suspect while the platform sends titles by another name, and has them again from a full one: it was complete, without a title', async () => {
  await using world = await furnishedWorld();
  for (const title of ['One', 'Two', 'Three']) await addSpace(world, title);
  await using proxy = await rewriting(world);
  const night = async (mode: 'full' | 'incremental') => (await world.sync({ client: proxy.client, mode })).snapshot;
  const untitled = (): unknown => rowsOf(world.mirror, 'select count(*) as n from spaces where title is null')[0];
  await night('incremental');
  proxy.rewrite = (_asked, { status, body }) => ({ status, body: labelled(body) });
  const lacking = await night('incremental');
  expect(lacking.state).toBe('suspect');
  expect(lacking.reason).toContain('no title any more on 5 of 5 spaces that changed at once');
  expect(untitled()).toEqual({ n: 5 });
  proxy.rewrite = () => undefined;
  expect(await night('full')).toMatchObject({ state: 'complete', reason: null });
  expect(untitled()).toEqual({ n: 0 });
});
