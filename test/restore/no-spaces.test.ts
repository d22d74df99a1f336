// A target that takes no space: what cannot come is said, and nothing is prepared for it.
import { expect, it } from 'vitest';
import { addSpace, edit, insert } from '../support/content.ts';
import { bare } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';

it('restore/apply prepares no content for spaces that the target refused, and says what a site lacks', async () => {
  const { world } = await bare(async (world) => {
    const spaces: string[] = [];
    for (let i = 0; i < 12; i++) {
      const space = await addSpace(world, `Space ${i}`);
      spaces.push(space);
      await edit(world, space, insert('Page', 'Text.'));
    }
    const { organization: organizationId } = world;
    await world.api.createSite({ path: { organizationId }, body: { title: 'Docs', spaces: spaces.slice(0, 2) } });
  });
  await using _world = world;
  await using target = await createTarget(world);
  const plan = await target.plan();
  const body = { error: { code: 403, message: 'Forbidden' } };
  target.platform.faults = [{ operation: 'createSpace', effect: { status: 403, body } }];
  const warnings: string[] = [];
  const note = ({ message }: Error): number => warnings.push(message);
  process.on('warning', note);
  const applied = await target.apply(plan);
  process.off('warning', note);
  expect(warnings).toEqual([]);
  const ofSite = applied.failures.filter(({ kind, skipped }) => kind === 'site-space' && !skipped);
  expect(ofSite.length).toBeGreaterThan(0);
  for (const { error } of ofSite) expect(error).toMatch(/^space \w+, which it needs, was not restored/);
  target.platform.faults = [];
  expect((await target.resume(applied.restore)).failures).toEqual([]);
  expect((await target.verify(applied.restore)).passed).toBe(true);
});
