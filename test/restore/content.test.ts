// How content reaches the platform: in one import or several, served or placed in a folder that another server shows.
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRestores, readerAt, stepsOf } from '../../src/mirror/index.ts';
import { pagesInOrder, partsOf } from '../../src/restore/content/import-parts.ts';
import { planSummary, type Plan } from '../../src/restore/index.ts';
import { addSpace, importFiles, pagesOf, PNG, type Furnished } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { sleeplessClock } from '../support/sleepless-clock.ts';
import { givenSmallDisk } from '../support/small-disk.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let made: Furnished;
let book: string;

/** Ten pages in three levels, each linking to the one before and the one after, with pictures, one of them a cover. */
function chapters(): Record<string, string | Buffer> {
  const name = (index: number): string => `page-${index}.md`;
  const level = (index: number): number => [0, 1, 2, 2, 0, 1, 1, 0, 1, 2][index] ?? 0;
  const indexes = Array.from({ length: 10 }, (_, index) => index);
  const summary = indexes.map((index) => `${'  '.repeat(level(index))}* [Page ${index}](${name(index)})`);
  const pages = indexes.map((index) => {
    const links = `Before: [it](${name((index + 9) % 10)}), after: [it](${name((index + 1) % 10)}).`;
    const picture = index % 3 === 0 ? `\n\n![](assets/${index}.png)` : '';
    const cover = index === 4 ? '---\ncover: assets/cover.png\n---\n\n' : '';
    return [name(index), `${cover}# Page ${index}\n\n${links}${picture}\n`] as const;
  });
  const pictures = [0, 3, 6, 9].map(
    (index) => [`assets/${index}.png`, Buffer.concat([PNG, Buffer.alloc(index)])] as const,
  );
  const loose = { 'assets/cover.png': Buffer.concat([PNG, Buffer.alloc(99)]), 'assets/unused.txt': 'For nobody.' };
  return {
    'SUMMARY.md': `${summary.join('\n')}\n`,
    ...Object.fromEntries(pages),
    ...Object.fromEntries(pictures),
    ...loose,
  };
}

beforeAll(async () => {
  const furnished = await furnishedWorld();
  world = furnished;
  made = furnished.made;
  book = await addSpace(world, 'Book');
  await importFiles(world, book, chapters());
  await world.sync();
});

afterAll(() => world[Symbol.asyncDispose]());

async function expectWhole(target: Target, restore: string): Promise<void> {
  const report = await target.verify(restore);
  expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect([report.passed, report.brokenLinks.after]).toEqual([true, report.brokenLinks.before]);
}

function howOf(restore: string, key: string): string | undefined {
  const entry = stepsOf(world.mirror, restore).find((step) => step.kind === 'revision' && step.key === key);
  return (JSON.parse(entry?.detail ?? '{}') as { how?: string }).how;
}

describe('restore/content/import-parts', () => {
  it('cover every page once, in order, within the limits', () => {
    const reader = readerAt(world.mirror, 1);
    const all = pagesInOrder(reader, { space: book }).map(({ id }) => id);
    for (const limits of [
      { maxPages: 3, maxBytes: null },
      { maxPages: null, maxBytes: 300 },
      { maxPages: 2, maxBytes: 1000 },
    ]) {
      const parts = partsOf(reader, { space: book }, limits) ?? [];
      expect(parts.flat()).toEqual(all);
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(limits.maxPages ?? all.length);
    }
    expect(partsOf(reader, { space: book }, { maxPages: 10, maxBytes: null })).toBeNull();
    expect(partsOf(reader, { space: book }, { maxPages: null, maxBytes: null })).toBeNull();
  });

  it('bring all content back where limits are set, for as many requests as were planned', async () => {
    await using target = await createTarget(world);
    const importLimits = { maxPages: 3, maxBytes: null };
    const plan = await target.plan({ importLimits });
    expect(plan.steps.find(({ kind, key }) => kind === 'revision' && key === book)?.note).toContain('by 4 imports');
    const applied = await target.apply(plan, { importLimits });
    expect([applied.failures, howOf(applied.restore, book)]).toEqual([[], 'in 4 imports']);
    expect(applied.requests).toBe(planSummary(plan).requests);
    await expectWhole(target, applied.restore);
  });

  it('are halved until the platform takes them', async () => {
    await using target = await createTarget(world, { importLimits: { entries: 8 } });
    const applied = await target.apply(await target.plan());
    expect([applied.failures, howOf(applied.restore, book)]).toEqual([[], expect.stringMatching(/^in [3-9] imports$/)]);
    await expectWhole(target, applied.restore);
  });

  it('end as a failure of that space alone where even one page is too much', async () => {
    await using target = await createTarget(world, { importLimits: { entries: 1 } });
    const applied = await target.apply(await target.plan({ scope: `space:${made.news}` }));
    expect([applied.failed, applied.failures[0]?.error]).toEqual([1, expect.stringContaining('entries')]);
  });

  it('of one page end as a failure where that is too much, and are not sent in halves, of which nobody could tell what is whole', async () => {
    await using target = await createTarget(world, { importLimits: { entries: 1 } });
    const page = made.pages['Install'] ?? '';
    const applied = await target.apply(await target.plan({ scope: `page:${page}` }));
    expect([applied.failed, applied.failures[0]?.error]).toEqual([1, expect.stringContaining('entries')]);
    const imports = target.platform.requestLog.recent().filter(({ operation }) => operation === 'importContent');
    expect(imports).toHaveLength(1);
  });

  it('of one page bring the file of its cover: a page that came back alone had none', async () => {
    await using target = await createTarget(world);
    const { 'Page 4': page = '' } = await pagesOf(world, book);
    const plan = await target.plan({ scope: `page:${page}` });
    expect(plan.steps.find(({ part }) => part === 'content')?.note).toBe('1 page and 1 file by import');
    const { restore } = await target.apply(plan);
    const spaceId = stepsOf(world.mirror, restore).find(({ kind }) => kind === 'space')?.new_id ?? '';
    const { pages, files } = await target.client.call('getRevision', { path: { spaceId } });
    expect(files.map(({ name }) => name)).toEqual(['cover.png']);
    expect(pages.map(({ cover }) => cover)).toMatchObject([{ ref: { file: files[0]?.id } }]);
    await expectWhole(target, restore);
  });

  it.each([1, 2, 5, 8])('end the same when import %i is cut off, and the restore is resumed', async (nth) => {
    await using target = await createTarget(world, { importLimits: { entries: 8 } });
    target.platform.faults = [{ operation: 'importContent', nth: nth + 1, effect: 'cut-after' }];
    const { restore, failed } = await target.apply(await target.plan({ scope: `space:${book}` }));
    expect(failed).toBeGreaterThan(0);
    target.platform.faults = [];
    expect((await target.resume(restore)).failures).toEqual([]);
    await expectWhole(target, restore);
  });
});

interface Shown extends AsyncDisposable {
  readonly directory: string;
  readonly addressTemplate: string;
  readonly asked: string[];
}

/** A folder that a server shows. */
async function showFolder(within = world.folder()): Promise<Shown> {
  const directory = join(within, 'shown');
  mkdirSync(directory);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://x').searchParams.get('file') ?? '';
    asked.push(name);
    try {
      response.end(readFileSync(join(directory, name)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    directory,
    addressTemplate: `http://127.0.0.1:${port}/get?file={name}`,
    asked,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const SERVER = { host: '127.0.0.1', port: 0, publicUrl: null };

function contentCheck(plan: Plan): Plan['preflight'][number] | undefined {
  return plan.preflight.find(({ check }) => check === 'content address');
}

describe('restore/content/content-folder', () => {
  it('holds content under names that nobody can guess while it is imported, and nothing afterwards', async () => {
    await using shown = await showFolder();
    await using target = await createTarget(world);
    const contentServer = { ...SERVER, ...shown };
    writeFileSync(join(shown.directory, 'docmirror-old.zip'), 'left by a restore that was killed');
    utimesSync(join(shown.directory, 'docmirror-old.zip'), 0, 0);
    writeFileSync(join(shown.directory, 'of-somebody-else.zip'), 'stays');
    const plan = await target.plan({ contentServer });
    expect(contentCheck(plan)).toMatchObject({ state: 'ok' });
    shown.asked.length = 0;
    const applied = await target.apply(plan, { contentServer });
    expect(applied.failures).toEqual([]);
    expect(shown.asked.length).toBeGreaterThan(3);
    expect(new Set(shown.asked).size).toBe(shown.asked.length);
    const own = new RegExp(String.raw`^docmirror-${applied.restore}-\w{40}\.zip$`);
    for (const name of shown.asked) expect(name).toMatch(own);
    expect(readdirSync(shown.directory)).toEqual(['of-somebody-else.zip']);
    await expectWhole(target, applied.restore);
  });

  it('loses with the resume what the restore that was killed has left: for a day or more everybody could fetch it', async () => {
    await using shown = await showFolder();
    await using target = await createTarget(world);
    const contentServer = { ...SERVER, ...shown };
    target.platform.faults = [{ operation: 'createComment', nth: 1, effect: 'cut-before' }];
    const { restore } = await target.apply(await target.plan({ contentServer }), { contentServer });
    target.platform.faults = [];
    const others = ['docmirror-restoreOther-x.zip', 'docmirror-probe.zip'];
    for (const name of [`docmirror-${restore}-x.zip`, ...others]) writeFileSync(join(shown.directory, name), 'content');
    expect(await target.resume(restore, { contentServer })).toMatchObject({ failed: 0 });
    expect(readdirSync(shown.directory).toSorted()).toEqual(others.toSorted());
  });

  it('is found out before the first write when its address shows something else, or it is not there', async () => {
    await using shown = await showFolder();
    await using target = await createTarget(world);
    const elsewhere = { ...SERVER, directory: world.folder(), addressTemplate: shown.addressTemplate };
    expect(contentCheck(await target.plan({ contentServer: elsewhere }))).toMatchObject({ state: 'warn' });
    const gone = { ...SERVER, ...shown, directory: join(shown.directory, 'none') };
    await expect(target.plan({ contentServer: gone })).rejects.toMatchObject({ code: 'DM_CONFIG_INVALID' });
    expect(target.writes()).toEqual([]);
  });

  it('ends a restore whose content finds no room there, which goes on once there is some: each space failed for a folder that was named wrongly', async (context) => {
    const { disk, folder } = givenSmallDisk(context);
    await using shown = await showFolder(folder);
    await using target = await createTarget(world);
    const contentServer = { ...SERVER, ...shown };
    const plan = await target.plan({ contentServer });
    disk.fill(0);
    const message = `contentServer.directory ${shown.directory} cannot be written: its disk is full`;
    await expect(target.apply(plan, { contentServer })).rejects.toMatchObject({ code: 'DM_DISK_FULL', message });
    disk.free();
    const { id = '' } = listRestores(world.mirror).findLast(({ target: url }) => url === target.platform.url) ?? {};
    expect((await target.resume(id, { contentServer })).failures).toEqual([]);
    await expectWhole(target, id);
  });

  it('is not asked when nothing is imported', async () => {
    await using target = await createTarget(world);
    const gone = { ...SERVER, directory: join(world.folder(), 'none'), addressTemplate: 'http://127.0.0.1:9/{name}' };
    const plan = await target.plan({ contentServer: gone, scope: 'kind:custom-field' });
    expect(contentCheck(plan)).toBeUndefined();
  });
});

describe('restore/content/content-server', () => {
  it('is asked at its public address before the first write, which must lead to it', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan({ contentServer: { ...SERVER, publicUrl: 'http://127.0.0.1:9' } });
    expect(contentCheck(plan)).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('does not lead') as string,
    });
  });

  it('answers there when that is so', async () => {
    await using target = await createTarget(world);
    await using shown = await showFolder();
    const port = Number(new URL(shown.addressTemplate.replace('{name}', '')).port);
    await shown[Symbol.asyncDispose]();
    const contentServer = { ...SERVER, port, publicUrl: `http://127.0.0.1:${port}` };
    expect(contentCheck(await target.plan({ contentServer }))?.detail).toContain('it answers');
  });

  it('needs no probe on this machine', async () => {
    await using target = await createTarget(world);
    expect(contentCheck(await target.plan())).toMatchObject({ state: 'ok' });
  });
});

it('restore/apply names the pages that the platform says it imported and shows nowhere', async () => {
  await using target = await createTarget(world);
  const body = { revision: 'r', importedResources: 6, totalResources: 6 };
  target.platform.faults = [{ operation: 'importContent', nth: 1, effect: { status: 201, body } }];
  const plan = await target.plan({ scope: `space:${made.guide}` });
  const { failures, failed, lacking } = await target.apply(plan, { clock: sleeplessClock() });
  expect({ failed, lacking }).toEqual({ failed: 0, lacking: 1 });
  const told = 'not found among what the platform imported: 4 pages (Home, Install, Linux, Use)';
  expect(failures.map(({ error }) => error)).toEqual([told]);
});
