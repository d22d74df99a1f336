// The operations by which a walk reads what an organization has besides content, under every fault; see the matrix in test/support.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { effectsOn, EVERY_OPERATION, FaultMatrix, ORGANIZATION_OPERATIONS } from '../support/fault-matrix.ts';
import { organize } from '../support/organization.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

let matrix: FaultMatrix;

beforeAll(async () => {
  const world = await TestWorld.create({ checkAnswers: false });
  const made = await organize(world);
  const inviteId = world.platform.createInvite({ organization: world.organization, role: 'read' });
  const path = { organizationId: world.organization };
  const languages = await world.api.createTranslationSettings({ path, body: { title: 'Others' } });
  world.platform.publishSite(made.site, true);
  const { id: doomed } = await world.api.createTeam({ path, body: { title: 'Doomed' } });
  const { items: providers } = await world.api.listSamlProviders({ path });
  const scope = {
    organizations: null,
    onlySpaces: null,
    extraSpaces: [],
    invites: [`${world.organization}/${inviteId}`],
  };
  const change = async (): Promise<void> => {
    await world.api.deleteMember({ path: { ...path, userId: made.people['noor'] ?? '' } });
    await world.api.deleteTeam({ path: { ...path, teamId: doomed } });
    await world.api.deleteSamlProvider({ path: { ...path, samlProviderId: providers[0]?.id ?? '' } });
    await world.api.deleteCustomField({ path: { ...path, fieldName: 'unused' } });
    await world.api.deleteOpenApiSpec({ path: { ...path, specSlug: 'fetched' } });
    await world.api.deleteTranslationSettings({ path: { ...path, translationSettingsId: languages.id } });
    await world.api.deleteSite({ path: { ...path, siteId: made.partners } });
    await world.api.updateTeam({ path: { ...path, teamId: made.team }, body: { title: 'Editors' } });
    await world.platform.settle();
  };
  matrix = await FaultMatrix.of(world, change, { scope });
});

afterAll(() => matrix[Symbol.asyncDispose]());

describe('walker/faults, organization', () => {
  it('covers every operation that a walk of this world calls', async () => {
    const called = await matrix.called();
    expect(called).toEqual(expect.arrayContaining([...ORGANIZATION_OPERATIONS]));
    expect(called.filter((name) => !EVERY_OPERATION.has(name))).toEqual([]);
  });

  it('holds every kind of an organization before the faults', () => {
    const held = new Set(Object.keys(matrix.before).map((key) => key.split(' ', 1)[0]));
    for (const kind of [
      'invite',
      'saml-provider',
      'openapi-spec-content',
      'share-link',
      'published-site',
      'team-membership',
    ])
      expect(held, kind).toContain(kind);
  });

  describe.each(ORGANIZATION_OPERATIONS)('%s', (operation) => {
    it.each(effectsOn(operation))('%s', (name) => matrix.expectHonestUnder(operation, name));
  });

  it('buries what was deleted, each with its evidence, and nothing else', async () => {
    using mirror = await matrix.copied();
    await matrix.expectHonest(mirror, await matrix.faulty(mirror, []));
    const kinds = rowsOf(mirror, 'select distinct kind from tombstones join resources using (rid) order by kind');
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['custom-field', 'member', 'openapi-spec', 'saml-provider', 'site', 'team']),
    );
  });
});
