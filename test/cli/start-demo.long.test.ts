// The demo: a platform that start fills with the packages on disk, and everything that is shown of it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMarkdownParser, type MarkdownToken } from '../../src/base/index.ts';
import { viewKinds } from '../../src/contract/index.ts';
import { recipeOf, runQuery } from '../../src/mirror/index.ts';
import {
  ANY_PORT,
  documentOf,
  environmentOf,
  runCli,
  runOwnProcess,
  startCli,
  testFolder,
  type Ended,
  type Started,
  type TestFolder,
} from '../support/cli.ts';
import { expectRefused, SINCE } from '../support/second-process.ts';
import { startSeeded } from '../support/seeded-platform.ts';
import { addressIn, bodyOf } from '../support/status-page.ts';

/** The address that commands are told to use, and the names in the folder of the platform. */
function platformIn(folder: TestFolder): string[] {
  const platform = folder.at('data', 'platform');
  const names = readdirSync(platform).filter((name) => !/-(?:wal|shm|journal)$/.test(name));
  return [...names, readFileSync(`${platform}/ports.json`, 'utf8'), readFileSync(`${platform}/token`, 'utf8')];
}

function addressesOf(tokens: readonly MarkdownToken[]): string[] {
  return tokens.flatMap((token) => [
    ...[token.attrGet('href'), token.attrGet('src')].filter((address) => address !== null).map(String),
    ...addressesOf(token.children ?? []),
  ]);
}

/** Links in a file that name neither another site nor a place within the page itself. */
function relativeLinks(text: string): string[] {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '');
  return addressesOf(createMarkdownParser().parse(body, {})).filter(
    (to) => !/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(to),
  );
}

/** As if nothing had been mirrored yet. */
function leaveOnlyPlatform(data: string): void {
  for (const name of existsSync(data) ? readdirSync(data) : [])
    if (name !== 'platform') rmSync(join(data, name), { recursive: true });
}

const TEXTS =
  'select markdown from pages where markdown is not null union all select markdown from change_request_pages where markdown is not null';

interface FirstRun {
  /** What it printed until it was up. */
  readonly text: string;
  readonly ready: Awaited<ReturnType<typeof bodyOf>>;
  readonly page: string;
  readonly ended: Ended;
}

/** A start up to where it stays up, looked at, and ended. */
async function runFirst(folder: TestFolder): Promise<FirstRun> {
  const first = startCli(['start'], { env: ANY_PORT, cwd: folder.path });
  const text = await first.until(/Ctrl-C ends it/);
  const ready = await bodyOf(`${addressIn(text)}/readyz`);
  const page = (await bodyOf(addressIn(text))).text;
  return { text, ready, page, ended: await first.interrupt() };
}

describe('cli/commands/start, the demo', () => {
  // To fill the platform of the demo, to mirror it and to drill takes many seconds: it is done once for all that is to be seen of it.
  let folder: TestFolder;
  let first: FirstRun;
  const rowsOf = (sql: string): unknown[][] => runQuery(folder.at('data'), sql, null).rows;
  beforeAll(async () => {
    folder = testFolder();
    first = await runFirst(folder);
  }, 120_000);
  afterAll(() => folder[Symbol.dispose]());

  it('mirrors, exports and drills the demo, and stays up', async () => {
    const { text, ready, page, ended } = first;
    expect(Number(/(\d+) pages/.exec(text.slice(text.indexOf('Mirrored')))?.[1])).toBeGreaterThanOrEqual(300);
    expect(text).toMatch(/Drill +passed/);
    expect(ready).toMatchObject({ status: 200 });
    expect(page).toContain('Ready: the mirror is fresh and proven');
    expect(ended.code).toBe(0);
    expect(statSync(folder.at('data', 'platform', 'token')).mode & 0o777).toBe(0o600);
    const token = readFileSync(folder.at('data', 'platform', 'token'), 'utf8');
    expect(ended.stdout + ended.stderr).not.toContain(token);

    expect([...viewKinds().keys()].filter((view) => rowsOf(`select 1 from ${view} limit 1`).length === 0)).toEqual([]);
    // With those on change requests, as the views have them.
    const told = /(\d+) comments, (\d+) comment replies/.exec(text)?.slice(1, 3);
    const counts = rowsOf('select (select count(*) from comments), (select count(*) from comment_replies)');
    expect(told?.map(Number)).toEqual(counts[0]);
    expect(rowsOf(recipeOf('dangling-references')?.sql ?? '')).toEqual([]);
    expect(await runCli(['check', '--read-data'], { cwd: folder.path })).toMatchObject({ code: 0 });
  });

  it('exports a file behind every link that the platform knew, one for each page, and lists that sha256sum accepts', () => {
    const to = folder.at('data', 'content');
    const entries = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = entries.map((entry) => relative(to, join(entry.parentPath, entry.name)));
    const links = files
      .filter((path) => path.endsWith('.md'))
      .flatMap((file) => relativeLinks(readFileSync(join(to, file), 'utf8')).map((link) => ({ file, link })));
    const broken = links.filter(({ file, link }) => {
      const path = decodeURIComponent(link.replace(/[?#].*$/s, ''));
      return !existsSync(join(to, dirname(file), path));
    });
    // What leads nowhere was written so by its author; links by id are never among them.
    const written = new Set(rowsOf(TEXTS).flatMap(([markdown]) => relativeLinks(String(markdown))));
    const own = broken.filter(({ link }) => !written.has(link) || /^\/(?:spaces|pages|files)\//.test(link));
    expect(own).toEqual([]);
    // The demo writes these itself: packages whose first file is a short list of changes were linked by that, which is no page.
    expect(broken.filter(({ file }) => file.endsWith('/overview.md'))).toEqual([]);
    const exported = Number(/\((\d+) Markdown pages\)/.exec(first.text)?.[1]);
    expect(links.length).toBeGreaterThan(broken.length);
    expect(links.length).toBeGreaterThan(exported);
    expect(rowsOf(`select count(*) from pages where type not in ('group', 'link')`)).toEqual([[exported]]);
    const check = ['-c', '--strict', '--quiet', 'SHA256SUMS'];
    expect(execFileSync('sha256sum', check, { cwd: to, encoding: 'utf8' })).toBe('');
  });

  it('finds it again at the next start', async () => {
    const second = startCli(['start'], { env: ANY_PORT, cwd: folder.path });
    expect(await second.until(/Ctrl-C ends it/)).toContain('filled by an earlier start');
    expect((await second.interrupt('SIGTERM')).code).toBe(0);
    const snapshots = documentOf<Record<string, unknown>[]>(
      await runCli(['snapshots', '--json'], { cwd: folder.path }),
    );
    expect(snapshots.map((row) => row['state'])).toEqual(['complete', 'complete']);
    expect(snapshots[1]?.['origin']).toBe(snapshots[0]?.['origin']);
  });

  describe('while its first walk is under way', () => {
    let walking: Started;
    let text: string;
    beforeAll(async () => {
      leaveOnlyPlatform(folder.at('data'));
      // So slow that the walk tells how far it is before it is over.
      mkdirSync(folder.at('config'));
      writeFileSync(folder.at('config', 'docmirror.yaml'), 'limits: {requestsPerSecond: 20}\n');
      walking = startCli(['start'], { env: ANY_PORT, cwd: folder.path });
      text = await walking.until(/Platform: http:\S+.*\n/);
    }, 120_000);
    afterAll(async () => {
      walking.child.kill('SIGKILL');
      await walking.ended;
    });

    it('leaves the first start as it is when a second one is tried in the same folder', async () => {
      const before = platformIn(folder);
      // A free port for the status page: nothing but the lock is in the way.
      const second = await runOwnProcess(['start'], { env: ANY_PORT, cwd: folder.path });
      expectRefused(second, new RegExp(`start, process ${walking.child.pid}, ${SINCE}`));
      const beside = await runCli(['platform', '--data', folder.at('data', 'platform')], { cwd: folder.path });
      expectRefused(beside, new RegExp(`start, process ${walking.child.pid}, ${SINCE}`));
      expect(platformIn(folder)).toEqual(before);
      const { stderr } = await runCli(['sync'], { cwd: folder.path });
      expect(stderr).toContain(`--base-url ${/Platform: (\S+)/.exec(text)?.[1]} `);
    });

    it('says to start again when its first walk was interrupted: docmirror sync, which it named, has no platform then', async () => {
      await walking.until(/^walk: /m);
      const { code, stderr } = await walking.interrupt();
      expect(stderr).toContain('The walk of snapshot 1 was interrupted');
      expect([code, /what to do: (.*)/.exec(stderr)?.[1]]).toEqual([
        130,
        'Run the same command again; it continues from what was committed.',
      ]);
      const { stdout } = await runCli(['status'], { cwd: folder.path });
      expect(stdout).toContain('what to do: docmirror start;');
      expect(stdout).toContain('snapshot 1 was cut off; run docmirror start to continue it');
    });

    it('finds its platform filled when it is started again after that', async () => {
      const again = startCli(['start'], { env: ANY_PORT, cwd: folder.path });
      await again.until(/filled by an earlier start/);
      await again.interrupt();
    });
  });

  it('is not named for what it does not do: status names the drill alone, with the folder, where only that is lacking', async () => {
    await using platform = await startSeeded();
    using mirror = testFolder();
    await runCli(['sync', '--data-dir', mirror.at('data')], { env: environmentOf(platform, mirror.at('data')) });
    mkdirSync(mirror.at('data', 'platform'));
    writeFileSync(mirror.at('data', 'platform', 'token'), 'token');
    writeFileSync(mirror.at('data', 'platform', 'ports.json'), '{"api": 1, "files": 2}');
    const { stdout } = await runCli(['status', '--data-dir', mirror.at('data')], { cwd: mirror.path });
    expect(stdout).toContain(`what to do: docmirror drill --data-dir ${mirror.at('data')};`);
  });
});
