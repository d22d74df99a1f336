// A platform that is newer than the contract: what it shows is sent back, and one that does not know it loses that alone.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { createPlatformChecks } from '../../src/platform/index.ts';
import { documentOf, environmentOf, runCli, testFolder } from '../support/cli.ts';
import { wholeWorld } from '../support/furnished.ts';
import { invite } from '../support/organization.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import type { TestWorld } from '../support/world.ts';

const NEW: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  site: { visibility: 'by-moonlight', type: 'galactic' },
  space: { defaultLevel: 'applaud', editMode: 'dreamt' },
  'custom-field': { type: 'mood' },
  member: { role: 'guest-of-honour' },
  comment: { status: 'pondered' },
};

async function newer(): Promise<TestWorld> {
  const world = await wholeWorld();
  await using proxy = await rewriting(world);
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (!isRecord(value)) return value;
    const inner = Object.entries(value).map(([field, one]) => [field, within(one)] as const);
    return { ...Object.fromEntries(inner), ...NEW[String(value['object'])] };
  };
  proxy.rewrite = (_asked, { status, body }) => (Buffer.isBuffer(body) ? undefined : { status, body: within(body) });
  expect((await world.sync({ client: proxy.client, mode: 'full' })).snapshot).toMatchObject({ state: 'complete' });
  return world;
}

async function restored(target: Target) {
  invite(target, ['robin', 'kim', 'noor']);
  const plan = await target.plan();
  const { restore, failures } = await target.apply(plan);
  await target.platform.settle();
  const { passed, differences } = await target.verify(restore);
  const fields = new Set(differences.map(({ kind, field }) => `${kind}.${field}`));
  return { plan, failures, passed, fields, exact: differences.filter((one) => one.class === 'exact') };
}

it('restore/apply sends back values that the contract does not list: each was refused by the platform of the drill', async () => {
  await using world = await newer();
  await using target = await createTarget(world, { checks: createPlatformChecks({ takesUnknownValues: true }) });
  const { plan, failures, passed, fields } = await restored(target);
  expect([passed, failures]).toEqual([true, []]);
  for (const field of ['site.visibility', 'site.type', 'space.defaultLevel', 'space.editMode', 'custom-field.type'])
    expect(fields).not.toContain(field);
  // Another platform may not know them: no plan promises them exactly.
  const site = plan.steps.find(({ kind, part }) => kind === 'site' && part === 'create');
  expect(site?.bestEffort).toEqual(expect.arrayContaining(['visibility', 'type']));
});

it('restore/apply makes a site without the visibility that the target does not know: all its parts were lost with it', async () => {
  await using world = await newer();
  await using target = await createTarget(world);
  const { failures, passed, exact } = await restored(target);
  const sites = failures.filter(({ kind }) => kind === 'site').map(({ error }) => error);
  expect(sites.length).toBeGreaterThan(0);
  for (const error of sites)
    expect(error).toMatch(/^type was not taken: .*; visibility was not taken: .*; visibility is share-link instead of/);
  expect([exact, passed]).toEqual([[], true]);
});

it('restore/apply makes a custom field of a type that the target does not know as one that takes its values: they were lost with it', async () => {
  await using world = await newer();
  await using target = await createTarget(world);
  const { failures, fields } = await restored(target);
  const custom = failures.filter(({ kind }) => kind === 'custom-field').map(({ error }) => error);
  expect(custom.length).toBeGreaterThan(0);
  for (const error of custom)
    expect(error).toMatch(/^type was not taken: .*; type is (text|tags|number|boolean) instead of mood$/);
  expect(fields).toContain('custom-field.type');
  expect(fields).not.toContain('custom-field-value.*');
});

it('a drill takes values of a newer platform: it failed every night from the day on which the platform had a new one', async () => {
  await using platform = await startSeeded();
  platform.faults = [{ effect: { enumValue: 'applaud', fields: ['defaultLevel', 'role'] } }];
  using folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  await runCli(['sync'], { env });
  const drilled = await runCli(['drill', '--json'], { env });
  expect([drilled.code, documentOf(drilled)]).toMatchObject([0, { passed: true }]);
  expect(drilled.stdout).not.toMatch(/"field": ?"defaultLevel"/);
});
