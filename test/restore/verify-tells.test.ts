// Whatever comes back can get lost or be changed again: a verification that passes must have looked at it. What is read of the target is
// spoiled here, one kind after another.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KindName } from '../../src/contract/index.ts';
import { readerAt } from '../../src/mirror/index.ts';
import { verifyRestore, type TargetView, type VerifyReport } from '../../src/restore/index.ts';
import { ledgerOf } from '../../src/restore/ledger.ts';
import { RESTORED_KINDS } from '../../src/restore/restored-kinds.ts';
import { serveBytes, zipOf } from '../platform/world.ts';
import { addRequest } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { organize } from '../support/organization.ts';
import { createTarget, observer, type Target } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

/** They have only fields that the platform sets. */
const BESIDE: readonly KindName[] = ['revision', 'change-request-revision'];
const KINDS = RESTORED_KINDS.filter((kind) => !BESIDE.includes(kind));

let world: TestWorld;
let target: Target;
let view: TargetView;
let restore: string;

beforeAll(async () => {
  const furnished = await furnishedWorld();
  world = furnished;
  const { guide } = furnished.made;
  await proposeFile(guide);
  await organize(world);
  await world.sync();
  target = await createTarget(world);
  for (const name of ['robin', 'kim']) {
    const person = { displayName: name, email: `${name}@example.com`, role: null };
    target.platform.createUser({ ...person, organization: target.organization });
  }
  ({ restore } = await target.apply(await target.plan()));
  await target.platform.settle();
  view = await observer(world)(target.client, { organizations: [target.organization], invites: [], spaces: null });
});

afterAll(async () => {
  await view[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** A change request with a file that its space does not have. */
async function proposeFile(spaceId: string): Promise<void> {
  const { id: changeRequestId } = await addRequest(world, spaceId, { subject: 'Proposal' });
  await using source = await serveBytes(
    await zipOf({ 'new.md': '# New\n\nSee [it](new.txt).\n', 'new.txt': 'New.\n' }),
  );
  const path = { spaceId, changeRequestId };
  await world.api.importChangeRequestContent({ path, body: { url: source.url, source: 'zip' } });
}

function verify(): Promise<VerifyReport> {
  const seen = { ...view, [Symbol.asyncDispose]: () => Promise.resolve() };
  return verifyRestore({ ...target.settings, restore, observeTarget: () => Promise.resolve(seen) });
}

interface Body {
  readonly bid: number;
  readonly data: string;
}

const NOW = 'rid in (select rid from resources where kind = ?) and valid_to';

/** What is verified of a target on which there is none of a kind. */
async function without(kind: KindName): Promise<VerifyReport> {
  const { store } = view.mirror;
  store.prepare(`update versions set valid_to = 0 where ${NOW} is null`).run(kind);
  const report = await verify();
  store.prepare(`update versions set valid_to = null where ${NOW} = 0`).run(kind);
  return report;
}

/** What is verified of a target on which fields of all of a kind have other values, and which fields these are. */
async function changed(kind: KindName, isMeant: (field: string) => boolean): Promise<[VerifyReport, string[]]> {
  const { store } = view.mirror;
  const bodies = store
    .prepare<Body>(`select bid, data from bodies where bid in (select body from versions where ${NOW} is null)`)
    .all(kind);
  const write = store.prepare('update bodies set data = @data where bid = @bid');
  const fields = new Set<string>();
  for (const { bid, data } of bodies) {
    const entries = Object.entries(JSON.parse(data) as object).map(([field, value]: [string, unknown]) => {
      if (!isMeant(field)) return [field, value] as const;
      fields.add(field);
      return [field, other(value)] as const;
    });
    write.run({ bid, data: JSON.stringify(Object.fromEntries(entries)) });
  }
  const report = await verify();
  for (const one of bodies) write.run({ ...one });
  return [report, [...fields].toSorted()];
}

function other(value: unknown): unknown {
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.length === 0 ? ['x'] : value.slice(1);
  return value === null ? 'x' : {};
}

function exactIn({ differences }: VerifyReport, kind: KindName): string[] {
  const exact = differences.filter((one) => one.kind === kind && one.class === 'exact');
  return [...new Set(exact.map(({ field }) => field))].toSorted();
}

describe('restore/verify of all that comes back', () => {
  it('passes as long as it is there, and as it was', async () => {
    const report = await verify();
    expect([report.passed, report.differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
  });

  it.each(KINDS)('does not pass without a single %s', async (kind) => {
    const { passed, kinds } = await without(kind);
    const { resources = 0, missing } = kinds[kind] ?? {};
    expect([passed, resources > 0, missing]).toEqual([false, true, resources]);
  });

  it.each(KINDS)('names each exact field that is another one of each %s', async (kind) => {
    // Where the name of a page is another one, so is its address: that is told once.
    const isTold = (field: string): boolean => field !== 'path' || !kind.endsWith('page');
    const isMeant = (field: string): boolean => ledgerOf(kind, field).class === 'exact' && isTold(field);
    const [report, fields] = await changed(kind, isMeant);
    expect(exactIn(report, kind)).toEqual(fields);
    expect(report.passed).toBe(fields.length === 0);
  });

  it('names the address of a page of the same name that stands below the same one', async () => {
    const [report] = await changed('page', (field) => field === 'path');
    expect([report.passed, exactIn(report, 'page')]).toEqual([false, ['path']]);
  });

  it.each(['file', 'change-request-file'] as const)('tells other bytes of each %s', async (kind) => {
    const { store } = view.mirror;
    const spoiled = `update versions set object = @to where object = @from and rid in (select rid from resources where kind = @kind)`;
    const objects = [...readerAt(view.mirror, view.snapshot).resources(kind)].map(({ object }) => object?.sha256 ?? '');
    for (const from of new Set(objects)) store.prepare(spoiled).run({ kind, from, to: `0${from.slice(1)}` });
    const report = await verify();
    for (const to of new Set(objects)) store.prepare(spoiled).run({ kind, from: `0${to.slice(1)}`, to });
    expect([report.passed, exactIn(report, kind)]).toEqual([false, ['sha256']]);
  });

  it.each([
    ['page', ['markdown', 'parent', 'position']],
    ['change-request-page', ['markdown', 'position']],
  ] as const)('names the place and text of each %s', async (kind, told) => {
    const { store } = view.mirror;
    const ofKind = `where ${NOW} is null`;
    store.prepare(`update versions set position = position + 1, parent = null ${ofKind}`).run(kind);
    store.prepare(`update bodies set data = data || 'x' where bid in (select text from versions ${ofKind})`).run(kind);
    const report = await verify();
    expect([report.passed, exactIn(report, kind)]).toEqual([false, told]);
  });
});
