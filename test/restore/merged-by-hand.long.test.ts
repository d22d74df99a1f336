// A platform that lets nobody merge by this token: what a restore brings waits, somebody merges it, and the restore goes on.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/client/index.ts';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import type { ApplyResult } from '../../src/restore/index.ts';
import { addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { inPlace } from '../support/in-place.ts';
import { createTarget, withoutImport, type Target } from '../support/restore.ts';
import { worldAnew } from '../support/copied-world.ts';
import type { TestWorld } from '../support/world.ts';

const WAYS = ['with an import', 'without an import'] as const;

let world: TestWorld;
let target: Target;
let here: string;
let there: string;
let pages: Record<string, string>;

const anew = worldAnew(async (both) => {
  const [one, other] = [await addSpace(both, 'Here'), await addSpace(both, 'There')];
  await edit(both, other, insert('Far', 'It is far.'));
  const { Far = '' } = await pagesOf(both, other);
  await edit(both, one, insert('Near', `See [far](/spaces/${other}/pages/${Far}).`), insert('Odd', 'Odd one.'));
  const { Near = '', Odd = '' } = await pagesOf(both, one);
  await edit(both, other, insert('Back', `See [near](/spaces/${one}/pages/${Near}).`));
  await edit(both, one, { type: 'update_page', page: Odd, title: 'Two\nlines' });
  await both.sync();
  return { here: one, there: other, pages: { Far, Near, Odd } };
});

beforeEach(async () => {
  ({ world, here, there, pages } = await anew());
  target = await createTarget(world);
});

afterEach(async () => {
  await target[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

interface Place {
  readonly platform: EmbeddedPlatform;
  readonly client: ApiClient;
  readonly spaces: () => Promise<string[]>;
  readonly resume: (restore: string) => Promise<ApplyResult>;
}

function refuseMerges(platform: EmbeddedPlatform, status: number): () => void {
  const before = platform.faults;
  const body = { error: { code: status, message: 'One approval is required' } };
  platform.faults = [...before, { operation: 'mergeChangeRequest', effect: { status, body } }];
  return () => {
    platform.faults = before;
  };
}

/** Merges all drafts as somebody who may; their subjects. */
async function mergeDrafts({ client, spaces }: Place): Promise<string[]> {
  const merged: string[] = [];
  for (const spaceId of await spaces()) {
    const { items } = await client.api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
    for (const { id, subject } of items) {
      await client.api.mergeChangeRequest({ path: { spaceId, changeRequestId: id } });
      merged.push(`${spaceId} ${subject}`);
    }
  }
  return merged;
}

/** Follows the advice until nothing is left to do; tries once more before each merge, too. */
async function followAdvice(place: Place, applied: ApplyResult, status: number): Promise<string[]> {
  const merged: string[] = [];
  let failures = applied.failures;
  for (let round = 0; round < 6 && failures.length > 0; round++) {
    for (const { skipped, hint } of failures.filter((one) => one.hint !== null))
      expect([skipped, hint]).toEqual([false, expect.stringContaining('have it merged by who may')]);
    let allow = refuseMerges(place.platform, status);
    ({ failures } = await place.resume(applied.restore));
    allow();
    merged.push(...(await mergeDrafts(place)));
    allow = refuseMerges(place.platform, status);
    ({ failures } = await place.resume(applied.restore));
    allow();
  }
  expect(failures).toEqual([]);
  return merged;
}

describe('restore on a platform that refuses its token to merge', () => {
  it.each(WAYS)('goes on, %s, as its advice says, and makes each change request once', async (way) => {
    if (way === 'without an import') withoutImport(target.platform);
    const allow = refuseMerges(target.platform, 412);
    const applied = await target.apply(await target.plan());
    allow();
    const spaces = (): Promise<string[]> => Promise.all(['Here', 'There'].map((title) => target.spaceCalled(title)));
    const place = { ...target, spaces };
    const merged = await followAdvice(place, applied, 412);
    expect([merged.length, new Set(merged).size]).toEqual(way === 'with an import' ? [1, 1] : [5, 5]);
    expect(await target.verify(applied.restore)).toMatchObject({ passed: true });
  });

  it.each(WAYS)('goes on so in place, %s, also with links to what has come back elsewhere', async (way) => {
    await edit(world, there, { type: 'delete_page', page: pages['Far'] ?? '' });
    await edit(world, here, { type: 'delete_page', page: pages['Odd'] ?? '' });
    await world.sync();
    const place = inPlace(world);
    if (way === 'without an import') withoutImport(world.platform);
    const plan = await place.plan();
    const allow = refuseMerges(world.platform, 403);
    const applied = await place.apply(plan);
    allow();
    const spaces = (): Promise<string[]> => Promise.resolve([here, there]);
    const { platform, client } = world;
    const resume = (restore: string): Promise<ApplyResult> => place.resume(restore);
    const merged = await followAdvice({ platform, client, spaces, resume }, applied, 403);
    expect(new Set(merged).size).toBe(merged.length);
    const { Near: pageId = '' } = await pagesOf(world, here);
    const { Far = '' } = await pagesOf(world, there);
    const { markdown } = await world.api.getPage({ path: { spaceId: here, pageId }, query: { format: 'markdown' } });
    expect(Far).not.toBe(pages['Far']);
    expect(markdown).toContain(`/pages/${Far})`);
    expect(await place.verify(applied.restore)).toMatchObject({ passed: true });
    expect((await place.plan()).steps).toEqual([]);
  });
});
