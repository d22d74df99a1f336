// The ledger proved both ways on the demo: nothing comes back worse than it claims, and nothing better without a reason.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindNames, type KindName } from '../../src/contract/index.ts';
import { seedDemo } from '../../src/platform/index.ts';
import { ledger, ledgerOf, type VerifyReport } from '../../src/restore/index.ts';
import { planTree } from '../support/plan-tree.ts';
import { RESTORED_KINDS } from '../../src/restore/restored-kinds.ts';
import { listRestores, readerAt, isDrill } from '../../src/mirror/index.ts';
import { createTarget, drill } from '../support/restore.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

let world: TestWorld;
let report: VerifyReport;

beforeAll(async () => {
  world = await TestWorld.create();
  await seedDemo({ platform: world.platform });
  await world.sync();
  report = await drill(world);
}, 120_000);

afterAll(() => world[Symbol.asyncDispose]());

const CREDITED = ['body', 'permissions', 'postedAt', 'postedBy'];

/** What comes back better than claimed, each for a reason that is declared. */
const BETTER: Readonly<Record<string, readonly string[]>> = {
  organization: ['hostname', 'permissions', 'plan', 'trial', 'type'],
  member: ['role', 'sso', 'teams'],
  team: ['members', 'permissions'],
  'custom-field': ['permissions'],
  'openapi-spec': ['permissions', 'processingState', 'text'],
  'translation-settings': ['permissions'],
  collection: ['permissions', 'position'],
  space: ['changeRequestsDraft', 'changeRequestsOpen', 'comments', 'permissions', 'position', 'visibility'],
  page: ['cover', 'layout', 'type'],
  file: ['contentType', 'dimensions'],
  'change-request': ['comments', 'number'],
  'change-request-page': ['cover', 'layout', 'type'],
  comment: [...CREDITED, 'reactions', 'replies', 'target'],
  'comment-reply': CREDITED,
  'change-request-comment': [...CREDITED, 'replies'],
  'change-request-comment-reply': CREDITED,
  site: ['basename', 'siteSpaces'],
  'site-section': ['position'],
  'site-section-group': ['position'],
  'site-space': ['position', 'title'],
};

/** Come back with the pages and files in them, by which they are compared. */
const BY_WHAT_THEY_HOLD = ['revision', 'change-request-revision', 'change-request-file'];

describe('restore/ledger', () => {
  it('knows every kind and field, and says how or why of all that is not exact', () => {
    const entries = ledger();
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(kindNames));
    for (const { kind, field, class: claim, reason } of entries)
      expect([kind, field, reason !== ''], `${kind}.${field}`).toEqual([kind, field, claim !== 'exact']);
    expect(ledgerOf('share-link', 'urls').reason).toContain('secret');
    expect(ledgerOf('invite', 'role').class).toBe('lost');
    expect(ledgerOf('team-membership', 'member').reason).toBe('no operation sets the role inside a team');
  });

  it('claims neither too much nor too little for the demo', () => {
    expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
    expect([report.passed, report.brokenLinks]).toEqual([true, { before: 0, after: 0 }]);
    const better = report.betterThanClaimed;
    expect(better.filter(({ explained }) => explained === null)).toEqual([]);
    const fields = (kind: string) => better.filter((one) => one.kind === kind).map(({ field }) => field);
    const kinds = new Set(better.map(({ kind }) => kind));
    expect(Object.fromEntries([...kinds].map((kind) => [kind, fields(kind).toSorted()]))).toEqual(
      Object.fromEntries(Object.entries(BETTER).map(([kind, names]) => [kind, names.toSorted()])),
    );
    for (const kind of kindNames.filter((name) => report.notRestored[name] !== undefined))
      expect(ledgerOf(kind, 'id').class, kind).toBe('lost');
    expect(listRestores(world.mirror).map(isDrill)).toEqual([true]);
  });

  it('is proved for every kind that comes back: one that no step brought back was missed by nobody, and the drill passed', () => {
    const compared = new Set(Object.keys(report.kinds));
    // The demo has something of each, and a step of the plan names that or what holds it.
    expect(RESTORED_KINDS.filter((kind) => !compared.has(kind))).toEqual(BY_WHAT_THEY_HOLD);
  });

  it('is a view over all that is there: what would be lost, and what a drill found to differ', () => {
    const lost = rowsOf(world.mirror, 'select kind, id, field, class, why, value from what_if_lost');
    expect(lost.length).toBeGreaterThan(0);
    for (const { kind, field, class: claim, why } of lost) {
      const entry = ledgerOf(String(kind) as KindName, field === '*' ? 'id' : String(field));
      expect([entry.class, entry.reason, entry.given]).toEqual([claim === 'lost' ? 'lost' : 'bestEffort', why, false]);
    }
    const wholly = lost.filter(({ field }) => field === '*').length;
    const [counted] = rowsOf(
      world.mirror,
      'select (select count(*) from space_members) + (select count(*) from invites) as n',
    );
    expect(wholly).toBeGreaterThanOrEqual(Number(counted?.['n']));
    const told = rowsOf(
      world.mirror,
      `select kind, field, class from drill_differences where drill = (select max(id) from drills)`,
    );
    expect(told).toEqual(report.differences.map(({ kind, field, class: claim }) => ({ kind, field, class: claim })));
    expect(told.length).toBeGreaterThan(0);
  });

  it('is shown for each object of a plan', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    const reader = readerAt(world.mirror, 1);
    for (const { kind, key, part, bestEffort, lost } of plan.steps) {
      if (part !== 'create') continue;
      const body = reader.one(kind, key)?.body ?? {};
      for (const field of Object.keys(body)) {
        const claim = ledgerOf(kind, field).class;
        if (claim === 'exact') expect([...bestEffort, ...lost]).not.toContain(field);
      }
      expect(lost.length, `${kind} ${key}`).toBeGreaterThan(0);
    }
    expect(planTree(plan).find((line) => line.startsWith('+ space'))).toMatch(/\[without visibility]$/);
  });
});
