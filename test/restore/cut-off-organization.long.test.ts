// The writes beside content, each lost before and after it is processed: a resume ends where an undisturbed apply does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../src/restore/index.ts';
import { organizedWorld } from '../support/furnished.ts';
import { invite } from '../support/organization.ts';
import { createTarget, type Target } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

const WRITES = [
  'createCustomField',
  'createOpenApiSpec',
  'createTranslationSettings',
  'createTeam',
  'createSamlProvider',
  'updateCustomFieldValues',
  'createSite',
  'createSiteSection',
  'createSiteSpace',
  'updateSiteSection',
  'updateSiteSpace',
  'createSiteSectionGroup',
  'moveSiteSection',
  'moveSiteSectionGroup',
  'putSiteAdaptiveSchema',
  'updateSite',
  'createShareLink',
  'updateShareLink',
  'updateOrganization',
  'updateMember',
  'setMemberSso',
] as const;
const CONTENT = ['createSpace', 'importContent', 'updateSpace'];

let world: TestWorld;
let undisturbed: { counts: Record<string, number>; fidelity: VerifyReport['fidelity'] };

beforeAll(async () => {
  world = await organizedWorld();
  await world.sync();
  await using target = await prepared();
  const { restore } = await target.apply(await target.plan());
  await target.platform.settle();
  undisturbed = await target.verifyCounting(restore);
});

afterAll(() => world[Symbol.asyncDispose]());

async function prepared(): Promise<Target> {
  const target = await createTarget(world);
  invite(target, ['robin', 'kim', 'noor']);
  return target;
}

describe('restore/resume beside content', () => {
  it.each(['lost', 'killed'] as const)(
    'ends the same when every write is %s, unsent and then processed',
    async (cut) => {
      await using target = await prepared();
      const { restore, before, after, result } = await target.endure(await target.plan(), cut);
      const all = new Set([...WRITES, ...CONTENT]);
      expect([before, after, result.failures]).toEqual([all, all, []]);
      await target.platform.settle();
      const { passed, fidelity, counts } = await target.verifyCounting(restore);
      expect(counts).toEqual(undisturbed.counts);
      expect([passed, fidelity.exact, fidelity.bestEffort]).toEqual([
        true,
        undisturbed.fidelity.exact,
        undisturbed.fidelity.bestEffort,
      ]);
    },
  );
});
