// What belongs to an organization besides content: settings, people, fields, sign-on, specifications, sites.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readerAt } from '../../src/mirror/index.ts';
import { planTree } from '../support/plan-tree.ts';
import { organizedWorld } from '../support/furnished.ts';
import { invite, type Organized } from '../support/organization.ts';
import { createTarget, type Target } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let made: Organized;

beforeAll(async () => {
  const organized = await organizedWorld();
  world = organized;
  ({ made } = organized);
  await world.sync();
});

afterAll(() => world[Symbol.asyncDispose]());

const KINDS = [
  'organization',
  'member',
  'team',
  'team-membership',
  'saml-provider',
  'custom-field',
  'custom-field-value',
  'openapi-spec',
  'translation-settings',
  'site',
  'site-section',
  'site-section-group',
  'site-space',
  'share-link',
  'site-adaptive-schema',
];

async function siteNamed(target: Target, title: string): Promise<{ organizationId: string; siteId: string }> {
  const path = { organizationId: target.organization };
  const { items } = await target.client.api.listSites({ path });
  return { ...path, siteId: items.find((site) => site.title === title)?.id ?? '' };
}

describe('restore/steps/organization', () => {
  it('brings every kind of an organization back, exactly where the ledger says so', async () => {
    await using target = await createTarget(world);
    invite(target, ['robin', 'kim', 'noor']);
    const plan = await target.plan();
    const applied = await target.apply(plan);
    expect([applied.failed, applied.skipped, applied.failures]).toEqual([0, 0, []]);
    await target.platform.settle();
    const report = await target.verify(applied.restore);
    expect(report.differences).toEqual([]);
    expect(report.passed).toBe(true);
    for (const kind of KINDS) expect([kind, report.kinds[kind]?.missing]).toEqual([kind, 0]);
    expect(report.betterThanClaimed.filter(({ explained }) => explained === null)).toEqual([]);
  });

  it('maps people by e-mail address, sets their roles, and names those who are not there', async () => {
    await using target = await createTarget(world);
    const people = invite(target, ['robin', 'noor']);
    const plan = await target.plan();
    expect(planTree(plan)).toContain('! member kim  (no member of the target is known to be this person)');
    expect(plan.preflight.find(({ check }) => check === 'people')?.detail).toContain('kim');
    await target.apply(plan);
    const path = { organizationId: target.organization };
    const { items } = await target.client.api.listMembers({ path });
    const roles = Object.fromEntries(items.map((member) => [member.user.displayName, member.role]));
    expect(roles).toEqual({ Admin: 'admin', robin: 'edit', noor: 'review' });
    const teams = await target.client.api.listMemberTeams({ path: { ...path, userId: people['robin'] ?? '' } });
    expect(teams.items.map(({ team }) => [team.title, team.members])).toEqual([['Writers', 1]]);
  });

  it('maps nobody by an address that two members share', async () => {
    await using target = await createTarget(world);
    invite(target, ['robin', 'robin']);
    const plan = await target.plan();
    expect(plan.people).not.toHaveProperty(made.people['robin'] ?? '');
  });

  it('leaves an administrator of the target what they are', async () => {
    await using target = await createTarget(world);
    const { organization } = target;
    target.platform.createUser({ displayName: 'robin', email: 'robin@example.com', organization, role: 'admin' });
    const plan = await target.plan();
    expect(planTree(plan)).toContain('= member robin  (stays an administrator)');
    expect((await target.apply(plan)).failures).toEqual([]);
  });

  it('says that a host name is taken, and restores everything else', async () => {
    await using target = await createTarget(world);
    invite(target, ['robin', 'kim', 'noor']);
    const other = target.platform.createOrganization({ title: 'Other' });
    await target.client.api.updateOrganization({ path: { organizationId: other }, body: { hostname: 'answers' } });
    const plan = await target.plan({ toOrganization: target.organization });
    const check = 'hostname of organization Answers of the world';
    expect(plan.preflight.find((row) => row.check === check)).toMatchObject({ state: 'warn' });
    const applied = await target.apply(plan);
    expect([applied.failed, applied.lacking, applied.failures.map(({ error }) => error)]).toEqual([
      0,
      0,
      ['The host name answers is taken and was not set'],
    ]);
    const report = await target.verify(applied.restore);
    expect([report.passed, report.differences.map(({ field }) => field)]).toEqual([true, ['hostname']]);
  });

  it('does not let a default that was not restored hold back the settings', async () => {
    await using target = await createTarget(world);
    target.platform.faults = [{ operation: 'createSite', nth: 1, count: 9, effect: { status: 400 } }];
    const applied = await target.apply(await target.plan());
    target.platform.faults = [];
    const { title, emailDomains } = await target.client.api.getOrganization({
      path: { organizationId: target.organization },
    });
    expect([applied.failed, title, emailDomains]).toEqual([2, 'Answers of the world', ['example.com']]);
    expect((await target.resume(applied.restore)).failures).toEqual([]);
    expect((await target.verify(applied.restore)).passed).toBe(true);
  });
});

describe('restore/steps/sites', () => {
  it('keeps the order of sections and groups, the paths and what the site opens with', async () => {
    await using target = await createTarget(world);
    await target.apply(await target.plan());
    const path = await siteNamed(target, 'Docs');
    const { items } = await target.client.api.listSiteSections({ path });
    expect(items.map((section) => [section.title, section.path, section.default])).toEqual([
      ['Start', 'news', false],
      ['Answers', 'answers', false],
      ['The guide', 'guide', true],
      ['News', 'start', false],
    ]);
    expect(items[2]?.siteSpaces.map(({ space, ...place }) => [space.title, place.default])).toEqual([
      ['Guide', false],
      ['Reference', true],
    ]);
    const site = await target.client.api.getSite({ path });
    expect(site).toMatchObject({ basename: 'docs', proxy: { target: 'example.com/docs' }, visibility: 'unlisted' });
  });

  it('gives share links new keys and keeps one that was switched off that way', async () => {
    await using target = await createTarget(world);
    await target.apply(await target.plan());
    const { items } = await target.client.api.listShareLinks({ path: await siteNamed(target, 'Partners') });
    expect(items.map(({ name, active }) => [name, active])).toEqual([
      ['Partners', true],
      ['Last year', false],
    ]);
    const keys = [...readerAt(world.mirror, 1).resources('share-link')].map(({ body }) => JSON.stringify(body['urls']));
    for (const { urls } of items) expect(keys).not.toContain(JSON.stringify(urls));
  });

  it('leaves out a place whose space did not come back, and says so', async () => {
    await using target = await createTarget(world);
    target.platform.faults = [{ operation: 'createSpace', nth: 5, count: 4, effect: { status: 400 } }];
    const applied = await target.apply(await target.plan());
    target.platform.faults = [];
    expect(applied.failed).toBeGreaterThan(0);
    const { items } = await target.client.api.listSiteSpaces({ path: await siteNamed(target, 'Partners') });
    expect(items.map(({ space }) => space.title)).toEqual(['Start']);
  });
});
