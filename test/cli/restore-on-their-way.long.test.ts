// Restores that wait six seconds for writes that may be on their way still: all side by side, since a worker does nothing else meanwhile.
// Where several waits follow each other, all but one are for writes that are made to be of long ago.
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { openMirror } from '../../src/mirror/index.ts';
import type { EmbeddedPlatform, FaultPlan } from '../../src/platform/index.ts';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { edit, pagesOf, type Change } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

interface Stage extends AsyncDisposable {
  readonly platform: EmbeddedPlatform;
  /** The restore that mends them, of which one write has failed. */
  readonly restore: string;
  readonly run: (...args: string[]) => Promise<Ended>;
  readonly titles: () => Promise<string[]>;
  /** Makes all that was written be of long ago: nobody waits for it any more. */
  readonly writtenLongAgo: () => Promise<void>;
}

const REFUSED = { operation: 'updateCollection', effect: { status: 400 } } as const;

/** Two collections are renamed; the second is not set back by the first try. */
async function halfMended(): Promise<Stage> {
  const platform = await startSeeded();
  const editor = editorOf(platform);
  const folder = testFolder();
  const env = environmentOf(platform, folder.at('data'));
  const run = (...args: string[]): Promise<Ended> => runCli(['restore', ...args], { env, cwd: folder.path });
  const path = { organizationId: platform.organizations()[0] ?? '' };
  await editor.api.createCollection({ path, body: { title: 'Second' } });
  await runCli(['sync'], { env });
  const listed = async () => (await editor.api.listCollections({ path })).items;
  for (const { id } of (await listed()).slice(0, 2))
    await editor.api.updateCollection({ path: { collectionId: id }, body: { title: `Bad ${id}` } });
  await run('plan', '--snapshot', '1', '--in-place', '--out', 'mend.json');
  platform.faults = [{ ...REFUSED, nth: 2 }];
  const applied = await run('apply', 'mend.json', '--json');
  platform.faults = [];
  const dispose = async (): Promise<void> => {
    await editor[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
  const { restore, failed } = documentOf<{ restore: string; failed: number }>(applied);
  expect([applied.code, failed]).toEqual([3, 1]);
  const titles = async (): Promise<string[]> => (await listed()).map(({ title }) => title);
  const writtenLongAgo = () => makeOld(folder.at('data'));
  return { platform, restore, run, titles, writtenLongAgo, [Symbol.asyncDispose]: dispose };
}

async function makeOld(dataDir: string): Promise<void> {
  using mirror = await openMirror({ dataDir, clock: systemClock() });
  mirror.store.driver.exec(`update restore_steps set at = '2020-01-01T00:00:00.000Z'`);
}

function bad(titles: readonly string[]): number {
  return titles.filter((title) => title.startsWith('Bad')).length;
}

/** Sets back what was done to a page since, with these faults. */
async function setBack(done: (page: string) => Change, faults: FaultPlan): ReturnType<typeof runCli> {
  await using platform = await startSeeded();
  await using editor = editorOf(platform);
  using folder = testFolder();
  const where = { env: environmentOf(platform, folder.at('data')), cwd: folder.path };
  await runCli(['sync'], where);
  const spaces = documentOf<{ id: string }[]>(await runCli(['query', 'select id from spaces', '--json'], where));
  const space = spaces[0]?.id ?? '';
  const [page = ''] = Object.values(await pagesOf(editor, space));
  await edit(editor, space, done(page));
  await runCli(['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json'], where);
  platform.faults = faults;
  return await runCli(['restore', 'apply', 'mend.json'], where);
}

interface Listed {
  restore: string;
  state: string;
  archive: string | null;
  undoes: string | null;
  undoneBy: string | null;
}

describe.concurrent('cli/restore, half undone', () => {
  it('does not go on while its undo has not come to its end, and names the resume of that', async () => {
    await using stage = await halfMended();
    const { platform, restore, run, titles, writtenLongAgo } = stage;
    await writtenLongAgo();
    platform.faults = [REFUSED];
    const failed = await run('undo', restore, '--json');
    platform.faults = [];
    const { restore: undo } = documentOf<{ restore: string }>(failed);
    expect(failed.code).toBe(3);
    const before = await titles();
    const resumed = await run('resume', restore);
    expect([resumed.code, resumed.stderr]).toEqual([
      4,
      expect.stringContaining(`being taken back by restore ${undo}, which has not come to its end`),
    ]);
    expect(resumed.stderr).toContain(`docmirror restore resume ${undo}`);
    const again = await run('apply', 'mend.json');
    expect(again.stderr).toContain(`docmirror restore resume ${undo}`);
    expect(again.stderr).not.toContain(`docmirror restore resume ${restore}`);
    expect(await titles()).toEqual(before);
    await writtenLongAgo();
    expect((await run('resume', undo)).code).toBe(0);
    expect(bad(await titles())).toBe(2);
    const applied = await run('apply', 'mend.json');
    expect(applied.stderr).toContain(`It was taken back by restore ${undo}`);
    expect(applied.stderr).not.toContain('restore resume');
  });

  it('refuses an undo that was planned before the restore went on: it took back half and called it undone', async () => {
    await using stage = await halfMended();
    const { restore, run, titles, writtenLongAgo } = stage;
    await writtenLongAgo();
    const { plan } = documentOf<{ plan: string }>(await run('undo', restore, '--plan-only', '--json'));
    expect((await run('resume', restore)).code).toBe(0);
    const refused = await run('apply', plan);
    expect(refused.stderr).toContain(`restore ${restore} has gone on since`);
    expect(refused.stderr).toContain(`docmirror restore undo ${restore}`);
    expect(bad(await titles())).toBe(0);
    expect((await run('undo', restore)).code).toBe(0);
    expect(bad(await titles())).toBe(2);
  });
});

describe.concurrent('cli/restore, with less than was asked for', () => {
  it('apply exits with 3 and says so where pages were left as they were: it was "done", with 0', async () => {
    const applied = await setBack(
      (page) => ({ type: 'update_page', page, title: 'Bad', document: { markdown: '# Bad\n\nBad.' } }),
      [{ operation: 'changeContent', effect: { status: 404 } }],
    );
    expect(applied.stdout).toContain('no operation that edits pages');
    expect(applied.stdout).toContain('1 page left as found, neither set back nor taken away');
    expect(applied.code).toBe(3);
  });

  it('apply exits with 3 and says so where a page did not come back although the platform took it: it was "done", with 0, and only verify told', async () => {
    const body = { revision: 'r', importedResources: 6, totalResources: 6 };
    const applied = await setBack(
      (page) => ({ type: 'delete_page', page }),
      [{ operation: 'importChangeRequestContent', effect: { status: 201, body } }],
    );
    expect(applied.stdout).toContain('was not found among what the platform imported');
    expect(applied.stdout).toMatch(/^Restore \w+ is done in part:/);
    expect(applied.stdout).toContain('of 1 done something did not come back, as named below: no resume brings it');
    expect(applied.stdout).toContain('Next: docmirror restore verify');
    expect(applied.code).toBe(3);
  });

  it('apply and resume exit with 3 where a page has both versions now: it was 0, and verify then ended with 1', async () => {
    await using world = await furnishedWorld();
    const { guide, pages } = world.made;
    await using proxy = await rewriting(world);
    using folder = testFolder();
    const settings = folder.at('docmirror.yaml');
    await writeFile(settings, 'limits: {requestsPerSecond: 1000}\n');
    const platform = { url: proxy.url, token: world.platform.token };
    const env = { ...environmentOf(platform, folder.at('data')), DOCMIRROR_CONFIG: settings };
    const where = { env, cwd: folder.path };
    const page = pages['Use'] ?? '';
    const write = (markdown: string) =>
      edit(world, guide, { type: 'update_page', page, title: 'Use', document: { markdown } });
    await runCli(['sync'], where);
    await write('# Use\n\nBad.');
    await runCli(['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json'], where);
    let isWritten = false;
    proxy.rewrite = async ({ method, path }) => {
      if (isWritten || method !== 'POST' || !path.endsWith('/content')) return undefined;
      isWritten = true;
      await write('# Use\n\nOf somebody.');
      return undefined;
    };
    const applied = await runCli(['restore', 'apply', 'mend.json', '--json'], where);
    const { restore, mixed } = documentOf<{ restore: string; mixed: number }>(applied);
    expect({ mixed, code: applied.code }).toEqual({ mixed: 1, code: 3 });
    await makeOld(folder.at('data'));
    const again = await runCli(['restore', 'resume', restore], where);
    expect(again.stdout).toContain('1 space with pages that somebody edited meanwhile: they have both versions');
    expect(again.code).toBe(3);
    expect((await runCli(['restore', 'verify', restore], where)).code).toBe(1);
  });
});

describe.concurrent('cli/restore undo, done', () => {
  it('shows a restore that was taken back as undone, and a second undo makes nothing', async () => {
    await using platform = await startSeeded();
    await using editor = editorOf(platform);
    using folder = testFolder();
    const env = environmentOf(platform, folder.at('data'));
    const run = (...args: string[]): Promise<Ended> => runCli(args, { env, cwd: folder.path });
    const listed = async (): Promise<Listed[]> => documentOf<Listed[]>(await run('restore', 'list', '--json'));
    await run('sync');
    const { items } = await editor.api.listCollections({ path: { organizationId: platform.organizations()[0] ?? '' } });
    await editor.api.updateCollection({ path: { collectionId: items[0]?.id ?? '' }, body: { title: 'Bad' } });
    await run('restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json');
    const { restore } = documentOf<{ restore: string }>(await run('restore', 'apply', 'mend.json', '--json'));
    const { restore: undo } = documentOf<{ restore: string }>(await run('restore', 'undo', restore, '--json'));
    const both = await listed();
    expect(both).toMatchObject([
      { restore, state: 'done', undoes: null, undoneBy: undo },
      { restore: undo, state: 'done', undoes: restore, undoneBy: null, archive: null },
    ]);
    expect((await run('restore', 'list')).stdout).toMatch(new RegExp(`${restore} +undone`));

    platform.clearRequestLog();
    const again = await run('restore', 'undo', restore);
    expect([again.code, again.stderr]).toEqual([4, expect.stringContaining(`taken back already, by restore ${undo}`)]);
    expect(platform.requestLog.recent()).toEqual([]);
    const changed = await run('restore', 'undo', restore, '--even-changed');
    expect([changed.code, changed.stderr]).toEqual([4, expect.stringContaining('taken back already')]);
    expect(await listed()).toEqual(both);
    const verified = await run('restore', 'verify', restore);
    expect([verified.code, verified.stderr]).toEqual([1, expect.stringContaining(`taken back by restore ${undo}`)]);
  });
});
