// A space comes out of the bin as it was deleted, not as the snapshot has it: whoever applied that is told what is left to do.
import { expect, it } from 'vitest';
import { applyView } from '../../src/cli/views/restore.ts';
import { createStyle } from '../../src/cli/views/style.ts';
import { edit } from '../support/content.ts';
import { mirrored } from '../support/in-place.ts';

it('restore/apply says that a space out of the bin may differ from the snapshot, and the command that shows it: all was done and verified, and what had been edited before the deletion stayed', async () => {
  const { world, made, place } = await mirrored();
  await using _world = world;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Linux'] ?? '' });
  await world.api.deleteSpace({ path: { spaceId: made.guide } });
  const applied = await place.apply(await place.plan());
  expect(applied).toMatchObject({ failures: [], undeleted: { spaces: 1, snapshot: 1 } });
  const look = { style: createStyle(false), width: Number.POSITIVE_INFINITY, named: String };
  expect(applyView(applied, { flags: '', target: { baseUrl: null, token: null } }, look)).toContain(
    '1 undeleted space is as it was when it was deleted. What else had changed in it by then: ' +
      'docmirror restore plan --snapshot 1 --in-place --out restore-of-1.json\n',
  );
  const again = await place.apply(await place.plan());
  expect(again).toMatchObject({ done: 1, undeleted: null });
});
