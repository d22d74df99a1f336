// A restore that was killed looks for what its last write made before it writes that again: one empty answer is not believed.
import { expect, it } from 'vitest';
import { listRestores } from '../../src/mirror/index.ts';
import type { AnyOperationName } from '../../src/contract/index.ts';
import { cutOnce } from '../support/cutting.ts';
import { walkedWholeWorld } from '../support/furnished.ts';
import { createTarget } from '../support/restore.ts';

/** In the order in which a restore writes. */
const LISTED: readonly (readonly [AnyOperationName, AnyOperationName, number?])[] = [
  ['createCustomField', 'listCustomFields'],
  ['createTeam', 'listTeams'],
  ['createSamlProvider', 'listSamlProviders'],
  ['createCollection', 'listCollections'],
  ['createSpace', 'listCollectionSpaces'],
  // The first one tries what an import does, and is archived.
  ['createChangeRequest', 'listChangeRequests', 1],
  ['createSite', 'listSites'],
  ['createSiteSection', 'listSiteSections'],
  ['createComment', 'listComments'],
  ['createCommentReply', 'listCommentReplies'],
];

it('restore/apply, resumed, makes nothing twice after writes whose outcome is unknown, where each listing that shows it is answered empty once', async () => {
  await using world = await walkedWholeWorld();
  await using calm = await createTarget(world);
  await calm.apply(await calm.plan());
  await using target = await createTarget(world);
  const { platform } = target;
  const plan = await target.plan();
  let restore: string | undefined;
  for (const [of, operation, nth = 0] of LISTED) {
    const client = cutOnce(target.client, { cut: 'killed', of, nth, sent: true });
    const run = restore === undefined ? target.apply(plan, { client }) : target.resume(restore, { client });
    await expect(run, of).rejects.toThrow('killed');
    restore ??= listRestores(world.mirror).find(({ state }) => state === 'running')?.id ?? '';
    platform.faults = [{ operation, effect: 'empty-list', count: 1 }];
  }
  expect(await target.resume(restore ?? '')).toMatchObject({ failed: 0, skipped: 0 });
  expect(await target.counts()).toEqual(await calm.counts());
});
