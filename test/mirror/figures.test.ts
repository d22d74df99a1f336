import { describe, expect, it } from 'vitest';
import { atOnce, seededRandom } from '../../src/base/index.ts';
import {
  FIGURES,
  forget,
  listNights,
  pinSnapshot,
  readerAt,
  readFigures,
  runQuery,
  unpinSnapshot,
} from '../../src/mirror/index.ts';
import { kindNames } from '../../src/contract/index.ts';
import { edit, importFiles } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { createTestMirror, type SpaceSpec, type TestMirror, type WorldSpec } from '../support/mirror-builder.ts';

const KINDS = ['space', 'page', 'file', 'comment', 'change-request'] as const;

function randomWorld(seed: number): WorldSpec {
  const random = seededRandom(seed);
  const some = <T>(most: number, make: (nth: number) => T): T[] =>
    Array.from({ length: random.int(most) + 1 }, (_, nth) => nth)
      .filter(() => random.int(4) > 0)
      .map(make);
  const space = (nth: number): SpaceSpec => ({
    id: `s${nth}`,
    title: `Space ${nth}`,
    pages: some(6, (id) => ({ id: `p${nth}-${id}`, title: `Page ${id}`, text: `text ${random.int(3)} é` })),
    files: some(3, (id) => ({ id: `f${nth}-${id}`, name: `${id}.txt`, bytes: `bytes ${random.int(2)}` })),
    comments: some(4, (id) => ({ id: `c${nth}-${id}`, markdown: `words ${random.int(2)}` })),
    requests: some(3, (id) => ({
      id: `r${nth}-${id}`,
      number: id + 1,
      subject: 'Change',
      status: ['open', 'draft', 'merged'][random.int(3)] ?? 'open',
    })),
  });
  return { spaces: some(4, space) };
}

function expectFigures({ mirror, dataDir }: TestMirror, snapshot: number): void {
  const figures = readFigures(mirror, snapshot);
  const reader = readerAt(mirror, snapshot);
  for (const kind of KINDS) expect([kind, figures[`held:${kind}`] ?? 0]).toEqual([kind, reader.count(kind)]);
  const asked = (sql: string): number => Number(runQuery(dataDir, sql, snapshot).rows[0]?.[0] ?? 0);
  expect(figures[FIGURES.openChangeRequests] ?? 0).toBe(
    asked(`select count(*) from change_requests where status in ('open', 'draft')`),
  );
  expect(figures[FIGURES.textBytes] ?? 0).toBe(
    asked('select coalesce(sum(length(cast(markdown as blob))), 0) from pages'),
  );
  const files = [...reader.resources('file')].reduce((sum, { object }) => sum + (object?.size ?? 0), 0);
  expect(figures[FIGURES.fileBytes] ?? 0).toBe(files);
}

describe('mirror/snapshots/figures', () => {
  it('equal what the views count, at every snapshot of a history of random nights', async () => {
    using test = await createTestMirror();
    for (let seed = 1; seed <= 12; seed++) await test.add(randomWorld(seed));
    for (let snapshot = 1; snapshot <= 12; snapshot++) expectFigures(test, snapshot);
  });

  it('stay right for what is kept after others were forgotten, and for the nights after that', async () => {
    using test = await createTestMirror();
    for (let seed = 1; seed <= 6; seed++) await test.add(randomWorld(seed));
    const dropped = atOnce(forget(test.mirror, { last: 2, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
    expect(dropped.filter(({ keep }) => !keep)).toHaveLength(4);
    expect(readFigures(test.mirror, 1)).toEqual({});
    for (let seed = 7; seed <= 9; seed++) await test.add(randomWorld(seed));
    for (const { snapshot } of listNights(test.mirror)) expectFigures(test, snapshot);
  });

  it('equal what the views count through nights of edits: links that break, comments that are resolved, requests that are merged, files', async () => {
    await using world = await furnishedWorld();
    const { guide, news, pages, comment, requests } = world.made;
    const ofGuide = { spaceId: guide };
    const link = {
      type: 'update_page',
      page: pages['Use'] ?? '',
      document: { markdown: '[Gone](nowhere.md)' },
    } as const;
    const nights = [
      () => Promise.resolve(),
      () => world.api.createComment({ path: ofGuide, body: { body: { markdown: 'Well?' } } }),
      () => edit(world, guide, link),
      () => world.api.updateComment({ path: { ...ofGuide, commentId: comment }, body: { resolved: true } }),
      () => world.api.mergeChangeRequest({ path: { ...ofGuide, changeRequestId: requests.open } }),
      () => importFiles(world, news, { 'README.md': '# New\n', 'a.txt': 'text' }),
      () => world.api.deleteComment({ path: { ...ofGuide, commentId: comment } }),
      () => edit(world, guide, { type: 'update_page', page: pages['Use'] ?? '', document: { markdown: 'Whole.' } }),
    ];
    const told = new Set<string>();
    for (const night of nights) {
      await night();
      const { snapshot } = await world.sync();
      const figures = readFigures(world.mirror, snapshot.id);
      const one = (sql: string): unknown => runQuery(world.dataDir, sql, snapshot.id).rows[0]?.[0];
      const kinds = kindNames.map((kind) => [kind, figures[`held:${kind}`] ?? 0]);
      expect(kinds).toEqual(kindNames.map((kind) => [kind, readerAt(world.mirror, snapshot.id).count(kind)]));
      const counted = [figures[FIGURES.brokenLinks] ?? 0, figures[FIGURES.openComments] ?? 0];
      const shown = [`links where status = 'broken'`, `comments where status = 'open'`];
      expect(counted).toEqual(shown.map((rows) => one(`select count(*) from ${rows}`)));
      told.add(counted.join());
      const objects = [...world.mirror.objects.list()];
      const bytes = objects.reduce((sum, name) => sum + (world.mirror.objects.sizeOf(name) ?? 0), 0);
      expect([figures[FIGURES.objects], figures[FIGURES.objectBytes]]).toEqual([objects.length, bytes]);
    }
    expect(told.size).toBeGreaterThan(3);
  });

  it('list the nights with what moved in each, oldest first', async () => {
    using test = await createTestMirror();
    const page = (id: string, text: string): { id: string; title: string; text: string } => ({ id, title: id, text });
    await test.add({ spaces: [{ id: 's', title: 'S', pages: [page('a', 'one'), page('b', 'two')] }] });
    await test.add({ spaces: [{ id: 's', title: 'S', pages: [page('a', 'other'), page('c', 'three')] }] });
    const nights = listNights(test.mirror);
    expect(nights.map(({ snapshot, figures }) => [snapshot, figures['held:page']])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(nights[1]).toMatchObject({ state: 'complete', added: 1, changed: 1, gone: 1 });
  });

  it('tell in each night what moved since the one before that is kept: what the forgotten ones had brought was in no report', async () => {
    using test = await createTestMirror();
    const moved = (): [snapshot: number, number, number, number][] =>
      listNights(test.mirror).map(({ snapshot, added, changed, gone }) => [snapshot, added, changed, gone]);
    const forgetBut = (last: number): unknown =>
      atOnce(forget(test.mirror, { last, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
    for (let seed = 1; seed <= 8; seed++) await test.add(randomWorld(seed));
    pinSnapshot(test.mirror, 3, 'kept');
    const each = moved();
    const together = (nights: typeof each): number[] =>
      [1, 2, 3].map((at) => nights.reduce((sum, one) => sum + Number(one[at]), 0));
    forgetBut(2);
    expect(moved()).toEqual([each[2], [7, ...together(each.slice(3, 7))], each[7]]);
    await test.add(randomWorld(9));
    const [ninth] = moved().slice(-1);
    forgetBut(1);
    expect(moved()).toEqual([each[2], [9, ...together([...each.slice(3), ninth ?? [9, 0, 0, 0]])]]);
    unpinSnapshot(test.mirror, 3);
    forgetBut(1);
    expect(moved()).toEqual([ninth]);
  });
});
