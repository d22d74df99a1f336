// What was damaged on disk, and what walks make of it that read it anew.
import { describe, expect, it } from 'vitest';
import { atOnce, isRecord } from '../../src/base/index.ts';
import { checkMirror, FIGURES, findText, readerAt, readFigures } from '../../src/mirror/index.ts';
import type { KindName } from '../../src/contract/index.ts';
import { addSpace, edit, importFiles, insert, type Furnished } from '../support/content.ts';
import { walkedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const MODES = ['incremental', 'full'] as const;

async function mirrored(): Promise<{ world: TestWorld; made: Furnished; [Symbol.asyncDispose](): Promise<void> }> {
  const world = await walkedWorld();
  const { made } = world;
  return { world, made, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** Has the JSON of all resources of some kinds be none any more. */
function damage({ mirror }: TestWorld, ...kinds: KindName[]): void {
  const of = kinds.map((kind) => `'${kind}'`).join(', ');
  const sql = `update bodies set data = 'x' || data where bid in
    (select body from versions join resources using (rid) where kind in (${of})) returning bid`;
  expect(rowsOf(mirror, sql)).not.toEqual([]);
}

/** Of which kinds the check finds something damaged. */
async function damagedKinds({ mirror }: TestWorld): Promise<string[]> {
  const { problems } = await checkMirror(mirror, { readData: true });
  expect(problems.filter(({ what }) => what !== 'body')).toEqual([]);
  return [...new Set(problems.map(({ which }) => /\((\S+) /.exec(which)?.[1] ?? which))].toSorted();
}

/** Walks, and expects that the snapshot is complete and shows what a mirror made anew would. */
async function expectWhole(world: TestWorld, options: Parameters<TestWorld['sync']>[0]): Promise<number> {
  const walked = await world.sync(options);
  expect(walked).toMatchObject({ failures: [], snapshot: { state: 'complete' } });
  using fresh = await world.newMirror();
  const truth = await world.sync({ ...options, mirror: fresh });
  expect(stateOf(world.mirror, walked.snapshot.id)).toEqual(stateOf(fresh, truth.snapshot.id));
  return walked.snapshot.id;
}

/** With every object's keys the other way round, as another server would send it. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (!isRecord(value) || Buffer.isBuffer(value)) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, one]) => [key, turned(one)]));
}

/** With its pages at another address. */
function elsewhere(value: unknown): unknown {
  if (!isRecord(value) || Buffer.isBuffer(value)) return value;
  return JSON.parse(JSON.stringify(value).replaceAll(/"app":"[^"]*"/g, '"app":"https://elsewhere.example/"'));
}

describe('walker/take, of what was damaged', () => {
  it('has it whole again after a full walk, in the snapshots before it too', async () => {
    await using all = await mirrored();
    const { world } = all;
    const before = stateOf(world.mirror, 1);
    world.mirror.store.driver.exec(`update bodies set data = 'x' || data`);
    const { snapshot, kinds } = await world.sync({ mode: 'full' });
    expect(snapshot.state).toBe('complete');
    expect(await damagedKinds(world)).toEqual([]);
    expect(stateOf(world.mirror, 1)).toEqual(before);
    expect(Object.values(kinds).reduce((sum, { changed }) => sum + changed, 0)).toBe(0);
  });

  it('is named where somebody comes by it, with what to do; that mends what is shown from then on', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    damage(world, 'space');
    expect(() => readerAt(world.mirror, 1).one('space', made.guide)).toThrow(
      expect.objectContaining({
        code: 'DM_DATABASE_DAMAGED',
        message: expect.stringMatching(/^What is stored of space \S+ is damaged: expected JSON$/) as string,
        hint: expect.stringContaining('docmirror sync --full') as string,
      }) as Error,
    );
    await edit(world, made.guide, insert('Extra', 'text'));
    await expectWhole(world, { mode: 'full' });
  });

  it.each(MODES)('ends no %s walk that finds the spaces, collections and organizations changed', async (mode) => {
    await using all = await mirrored();
    const { world, made } = all;
    damage(world, 'organization', 'collection', 'space');
    const own = { organizationId: world.organization };
    await world.api.updateOrganization({ path: own, body: { title: 'Another name' } });
    await world.api.updateCollection({ path: { collectionId: made.nested }, body: { description: 'Other' } });
    await edit(world, made.guide, insert('Extra', 'text'));
    await expectWhole(world, { mode });
    // Of those that have not changed, all snapshots have it again.
    expect(readerAt(world.mirror, 1).one('collection', made.collection)?.body['title']).toBe('Manuals');
    expect(await damagedKinds(world)).toEqual(['collection', 'organization', 'space']);
  });

  it('ends no walk that accepts the rights as they are', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    damage(world, 'space');
    await edit(world, made.guide, insert('Extra', 'text'));
    await expectWhole(world, { acceptRights: true });
  });

  it.each(MODES)('ends no %s walk that finds a page edited, whose words are found as they are now', async (mode) => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Garden');
    const write = (text: string) =>
      importFiles(world, space, { 'README.md': '# Home\n\nHi', 'use.md': `# Use\n\n${text}` });
    const found = (text: string): string[] =>
      atOnce(findText(world.mirror, { text, among: 'pages', limit: 9 })).map(({ title }) => title);
    await write('Elderberry');
    await world.sync();
    damage(world, 'page');
    await write('Gooseberry');
    const { snapshot } = await world.sync({ mode });
    expect(snapshot.state).toBe('complete');
    expect([found('Gooseberry'), found('Elderberry')]).toEqual([['Use'], []]);
    expect(await damagedKinds(world)).toEqual(['page']);
    // Those that stayed damaged meanwhile are named as they are once they are read again.
    await expectWhole(world, { mode: 'full' });
    expect(found('Home')).toEqual(['Home']);
  });

  it.each(MODES)('ends no %s walk that finds a change request changed, and counts the open ones', async (mode) => {
    await using all = await mirrored();
    const { world, made } = all;
    damage(world, 'change-request');
    const path = { spaceId: made.guide, changeRequestId: made.requests.open };
    await world.api.mergeChangeRequest({ path });
    const last = await expectWhole(world, { mode, settings: { rereadNights: 1 } });
    const open = rowsOf(world.mirror, `select id from change_requests where status in ('open', 'draft')`);
    expect(readFigures(world.mirror, last)[FIGURES.openChangeRequests]).toBe(open.length);
    expect(await damagedKinds(world)).toEqual(['change-request']);
  });

  it('ends no full walk to which the pages show another address and nothing else that is new', async () => {
    await using all = await mirrored();
    const { world } = all;
    await using proxy = await rewriting(world);
    damage(world, 'page');
    proxy.rewrite = (_asked, { status, body }) => ({ status, body: elsewhere(body) });
    await expectWhole(world, { mode: 'full', client: proxy.client });
    expect(await damagedKinds(world)).not.toEqual([]);
  });

  it('does not hold after a full walk that reads the same with its keys in another order', async () => {
    await using all = await mirrored();
    const { world } = all;
    await using proxy = await rewriting(world);
    const wrong = `replace(replace(data, '"title":"Use"', '"title":"Usf"'), '"Manuals"', '"Manualz"')`;
    world.mirror.store.driver.exec(`update bodies set data = ${wrong} where bid in
      (select body from versions join resources using (rid) where kind in ('page', 'collection'))`);
    proxy.rewrite = (_asked, { status, body }) => ({ status, body: turned(body) });
    await expectWhole(world, { mode: 'full', client: proxy.client });
    expect(await damagedKinds(world)).not.toEqual([]);
  });

  it('is handed to nothing new that has the same text', async () => {
    await using all = await mirrored();
    const { world, made } = all;
    await edit(world, made.news, insert('Same', 'The very same text.'));
    await world.sync();
    world.mirror.store.driver.exec(
      `update bodies set data = replace(data, 'very same', 'verb same') where data like '%very same%'`,
    );
    const other = await addSpace(world, 'Other');
    await edit(world, other, insert('Same', 'The very same text.'));
    await expectWhole(world, {});
    expect(await damagedKinds(world)).toEqual([]);
  });
});
