// A restore that was killed looks for what its last write made before it writes that again: one empty answer is not believed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRestores } from '../../src/mirror/index.ts';
import type { AnyOperationName } from '../../src/contract/index.ts';
import { cutOnce } from '../support/cutting.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { organize } from '../support/organization.ts';
import { createTarget } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

const LISTED = [
  ['createCollection', 'listCollections'],
  ['createSpace', 'listCollectionSpaces'],
  ['createTeam', 'listTeams'],
  ['createCustomField', 'listCustomFields'],
  // The first one tries what an import does, and is archived.
  ['createChangeRequest', 'listChangeRequests', 1],
  ['createComment', 'listComments'],
  ['createCommentReply', 'listCommentReplies'],
  ['createSite', 'listSites'],
  ['createSiteSection', 'listSiteSections'],
  ['createSamlProvider', 'listSamlProviders'],
] as const satisfies readonly (readonly [AnyOperationName, AnyOperationName, number?])[];

let world: TestWorld;
let counts: Record<string, number>;

beforeAll(async () => {
  world = await furnishedWorld();
  await organize(world);
  await world.sync();
  await using target = await createTarget(world);
  await target.apply(await target.plan());
  counts = await target.counts();
});

afterAll(() => world[Symbol.asyncDispose]());

describe('restore/apply, resumed', () => {
  it.each(LISTED)(
    'makes nothing twice after a %s whose outcome is unknown, where %s is answered empty once',
    async (of, operation, nth: number = 0) => {
      await using target = await createTarget(world);
      const client = cutOnce(target.client, { cut: 'killed', of, nth, sent: true });
      await expect(target.apply(await target.plan(), { client })).rejects.toThrow('killed');
      const restore = listRestores(world.mirror).find(({ state }) => state === 'running')?.id ?? '';
      target.platform.faults = [{ operation, effect: 'empty-list', count: 1 }];
      await target.resume(restore);
      target.platform.faults = [];
      expect(await target.counts()).toEqual(counts);
    },
  );
});
