import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { documentOf, environmentOf, runCli, testFolder, type Ended, type TestFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

let platform: EmbeddedPlatform;
let folder: TestFolder;
let env: Record<string, string>;

beforeAll(async () => {
  platform = await startSeeded();
  folder = testFolder();
  env = environmentOf(platform, folder.at('data'));
  await runCli(['sync'], { env });
  await runCli(['sync'], { env });
});

afterAll(async () => {
  await platform[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function offline(...args: string[]): Promise<Ended> {
  return runCli(args, { env: { DOCMIRROR_DATA_DIR: folder.at('data') } });
}

describe('cli/commands/query', () => {
  it('answers as table, as JSON list and as CSV', async () => {
    const sql = `select 'a "b", c' as text, 2 as number, null as none, x'00ff' as bytes`;
    const shown = await offline('query', sql);
    expect(shown.stdout).toBe('text      number  none  bytes\na "b", c       2        00ff\n1 row\n');
    expect(documentOf(await offline('query', sql, '--json'))).toEqual([
      { text: 'a "b", c', number: 2, none: null, bytes: '00ff' },
    ]);
    expect((await offline('query', sql, '--csv')).stdout).toBe('text,number,none,bytes\n"a ""b"", c",2,,00ff\n');
  });

  it('writes a row that holds nothing so that readers of CSV see it: they pass over an empty line', async () => {
    const sql = "select null as n union all select '' union all select 'x' union all select null";
    expect((await offline('query', '--csv', sql)).stdout).toBe('n\n""\n""\nx\n""\n');
    expect((await offline('query', '--csv', 'select null as n, null as m')).stdout).toBe('n,m\n,\n');
  });

  it('takes SQL that begins with a comment, as a saved report does: it was refused as an unknown option', async () => {
    for (const comment of ['-- as of snapshot 1\n', '--\n', '-- one -- two\n-- three\n', '/* one */ '])
      expect((await offline('query', `${comment}select 1 as n`, '--csv')).stdout).toBe('n\n1\n');
    expect((await offline('query', '-- nothing else')).stderr).toContain('DM_SQL_INVALID');
    expect((await offline('query', '--nothing', 'select 1')).stderr).toContain('DM_USAGE');
  });

  it('reads the views, at any snapshot', async () => {
    const count = 'select count(*) as n from pages';
    expect(documentOf(await offline('query', count, '--json'))).toEqual([{ n: 6 }]);
    expect(documentOf(await offline('query', count, '--json', '--at', '1'))).toEqual([{ n: 6 }]);
    const unknown = await offline('query', count, '--at', '9');
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
  });

  it('says that full text is that of the last snapshot where another one is asked for', async () => {
    const search = `select count(*) as n from pages_search where pages_search match 'text'`;
    const note = expect.stringContaining('searched in the last sealed snapshot (2), whatever --at says') as string;
    expect((await offline('query', search, '--at', '1')).stderr).toEqual(note);
    for (const args of [[search], [search, '--at', '2'], ['select count(*) from pages', '--at', '1']])
      expect((await offline('query', ...args)).stderr).toBe('');
  });

  it('says that what is told of now is that where another snapshot is asked for', async () => {
    const proofs = 'select count(*) as n from freshness';
    const note = expect.stringContaining('freshness tells how it is now, whatever --at says') as string;
    expect((await offline('query', proofs, '--at', '1')).stderr).toEqual(note);
    expect((await offline('query', proofs)).stderr).toBe('');
  });

  it('loses no column and no digit', async () => {
    const sql = 'select 1 as a, 2 as a, 3 as a_2, 4 as a, 9007199254740993 as large, 2 as "2", 1 as "1"';
    const json = '[{"a":1,"a_3":2,"a_2":3,"a_4":4,"large":9007199254740993,"2":2,"1":1}]\n';
    expect((await offline('query', '--json', sql)).stdout).toBe(json);
    expect((await offline('query', '--csv', sql)).stdout).toBe('a,a,a_2,a,large,2,1\n1,2,3,4,9007199254740993,2,1\n');
    expect((await offline('query', sql)).stdout).toContain('  9007199254740993  ');
  });

  it('finds a snapshot by the minute that the list prints, whatever the time zone of the machine', async () => {
    const count = 'select count(*) as n from pages';
    const begun = documentOf<{ at: string }[]>(
      await offline('query', 'select started_at as at from snapshots', '--json'),
    );
    const east = { DOCMIRROR_DATA_DIR: folder.at('data'), TZ: 'Asia/Tokyo' };
    const printed = begun[0]?.at.slice(0, 16).replace('T', ' ') ?? '';
    const then = await runCli(['query', count, '--json', '--at', printed], { env: east });
    expect([then.code, then.stderr]).toEqual([0, '']);
  });

  it.each([
    ['delete from snapshots', 'DM_SQL_REFUSED'],
    ['select nothing from nowhere', 'DM_SQL_INVALID'],
    ['', 'DM_SQL'],
  ])('refuses %j', async (sql, code) => {
    const ended = await offline('query', sql);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(code);
  });
});

describe('cli/commands/query, recipes', () => {
  it('lists the saved reports and runs one by its name', async () => {
    const list = documentOf<{ name: string; about: string; sql: string }[]>(
      await offline('query', '--recipes', '--json'),
    );
    expect(list.map(({ name }) => name)).toContain('largest-spaces');
    expect((await offline('query', '--recipes')).stdout).toMatch(/^stale-pages {2,}documents that were not edited/m);
    expect((await offline('query', '--recipes', '--csv')).stdout).toMatch(
      /^name,about,sql\nstale-pages,"documents that/,
    );
    const report = documentOf<Record<string, unknown>[]>(
      await offline('query', '--recipe', 'largest-spaces', '--json'),
    );
    expect(report.map(({ pages }) => pages)).toEqual([3, 3]);
    expect((await offline('query', '--recipe', 'broken-links', '--csv', '--at', '1')).stdout).toBe('space,broken\n');
  });

  it.each([
    [['--recipe', 'none'], 'expected one of stale-pages'],
    [['--recipe', 'duplicates', 'select 1'], 'Both SQL and --recipe'],
    [['--recipes', 'select 1'], 'Both --recipes and something to run'],
    [['--recipes', '--recipe', 'duplicates'], 'Both --recipes and something to run'],
    [['--recipes', '--at', '1'], 'Both --recipes and something to run'],
    [[], 'Neither SQL nor --recipe'],
  ])('refuses %j', async (args, words) => {
    const ended = await offline('query', ...args);
    expect([ended.code, ended.stderr.includes(words)]).toEqual([2, true]);
  });
});

describe('cli/commands/snapshots', () => {
  it('lists them, and shows one', async () => {
    const list = documentOf<Record<string, unknown>[]>(await offline('snapshots', '--json'));
    expect(list.map((row) => [row['snapshot'], row['state'], row['mode']])).toEqual([
      [1, 'complete', 'first'],
      [2, 'complete', 'incremental'],
    ]);
    expect((await offline('snapshots')).stdout).toMatch(/^ +1 {2}complete {2}\d{4}-/m);
    const one = documentOf(await offline('snapshots', 'show', '1', '--json'));
    expect(one).toMatchObject({ snapshot: 1, kinds: { page: { added: 6 } }, failures: [] });
    expect(documentOf(await offline('snapshots', 'show', 'latest', '--json'))).toMatchObject({ snapshot: 2 });
    expect((await offline('snapshots', 'show', '7')).code).toBe(2);
  });
});

describe('a pinned snapshot', () => {
  it('is shown with the reason wherever snapshots are', async () => {
    await offline('snapshots', 'pin', '1', '--reason', 'before the move');
    expect((await offline('snapshots')).stdout).toMatch(/ pinned\n +1 .* before the move\n/);
    expect((await offline('snapshots', 'show', '1')).stdout).toContain('\n  pinned: before the move\n');
    const pinned = { reason: 'before the move', at: expect.any(String) as string };
    expect(documentOf(await offline('snapshots', '--json'))).toMatchObject([{ pinned }, { pinned: null }]);
    expect(documentOf(await offline('snapshots', 'show', '1', '--json'))).toMatchObject({ pinned });
    const forgotten = await offline('forget', '--keep-last', '1', '--dry-run');
    expect(forgotten.stdout).toMatch(/^ +1 {2}kept +it is pinned: before the move$/m);
    expect((await offline('snapshots', 'unpin', '1')).stdout).toBe('Snapshot 1 is no longer pinned\n');
    expect((await offline('snapshots')).stdout).not.toContain('pinned');
    expect((await offline('snapshots', 'unpin', '1')).stdout).toBe('Snapshot 1 was not pinned\n');
    expect((await offline('snapshots', 'pin', '1', '--reason', ' ')).code).toBe(2);
  });
});

describe('cli/commands/diff', () => {
  it('tells what changed from one snapshot to another', async () => {
    expect((await offline('diff', '1', 'latest')).stdout).toContain('Nothing differs');
    expect((await offline('diff', '1')).stdout).toContain('between snapshots 1 and 2');
    const back = documentOf<{ from: number; changes: unknown[] }>(await offline('diff', '2', '1', '--json'));
    expect(back).toEqual({ from: 2, to: 1, kind: null, space: null, changes: [] });
  });

  it('does not say that nothing differs when it only looked at a part', async () => {
    const [space] = documentOf<{ id: string }[]>(await offline('query', 'select id from spaces', '--json'));
    const id = space?.id ?? '';
    const limited = await offline('diff', '1', '2', '--space', id, '--kind', 'page');
    expect(limited.stdout).toBe(`Nothing of kind page in space ${id} differs between snapshots 1 and 2.\n`);
    const unknown = await offline('diff', '1', '2', '--space', 'nope');
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toContain('--space is "nope"; expected the id of a space that the mirror has seen');
  });

  it('refuses a kind that there is not', async () => {
    const ended = await offline('diff', '1', '2', '--kind', 'pages');
    expect([ended.code, ended.stderr.includes('expected one of organization')]).toEqual([2, true]);
  });
});

describe('cli/commands/export', () => {
  it('writes the tree of one snapshot, then only what changed', async () => {
    const first = documentOf(await offline('export', '--to', folder.at('out'), '--snapshot', '1', '--json'));
    expect(first).toMatchObject({ snapshot: 1, spaces: 2, pages: 6, unchanged: 0 });
    const second = documentOf(await offline('export', '--to', folder.at('out'), '--json'));
    expect(second).toMatchObject({ snapshot: 2, written: 0, removed: 0 });
  });

  it('prints a command that stands a space in the path', async () => {
    const { stdout } = await offline('export', '--to', folder.at('a b'));
    const [, line = ''] = /verify it with: (.*)/.exec(stdout) ?? [];
    expect(line).toContain(`cd '${folder.at('a b')}' && `);
    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe('');
  });

  it.each(['/proc/x', '/proc/x/y', '/dev/null/x'])('calls %s no fault in Docmirror, but a wrong place', async (to) => {
    const ended = await offline('export', '--to', to);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`Cannot export to ${to}: `)]);
    expect(ended.stderr).toContain('(DM_USAGE)');
  });

  it.each(['objects/x', 'restores', 'platform/new'])(
    'refuses the own folder %s of the data directory',
    async (name) => {
      const ended = await offline('export', '--to', folder.at('data', name));
      const own = folder.at('data', name.split('/')[0] ?? '');
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`is in ${own}, where the mirror keeps`)]);
      expect(ended.stderr).toContain('(DM_USAGE)');
    },
  );

  it('does not take an empty path, such as an unset variable leaves, for the folder that one is in', async () => {
    const ended = await offline('export', '--to', '');
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('--to is ""; expected a path (DM_USAGE)')]);
  });

  it('refuses a folder that holds something else', async () => {
    const ended = await offline('export', '--to', folder.at('data'));
    expect([ended.code, ended.stderr.includes('DM_USAGE')]).toEqual([2, true]);
  });
});

describe('cli/commands/report, --out', () => {
  it.each([
    ['nowhere/r.html', 'its folder does not exist'],
    ['.', 'it is a folder'],
    ['file/r.html', 'a file stands where its folder should be'],
  ])('refuses %s in words of its own', async (out, why) => {
    writeFileSync(folder.at('file'), '');
    const ended = await offline('report', '--out', folder.at(out));
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`cannot be written: ${why}`)]);
    expect(ended.stderr).not.toMatch(/Unexpected|\.tmp/);
  });
});

describe('cli/commands/check', () => {
  it('finds the mirror whole', async () => {
    const report = documentOf(await offline('check', '--read-data', '--json'));
    expect(report).toMatchObject({ passed: true, problems: [], export: true });
  });
});

describe('cli/commands/status and doctor', () => {
  it('is not ready without a drill, and ready after one', async () => {
    const before = await offline('status', '--json');
    expect(before.code).toBe(1);
    expect(documentOf(before)).toMatchObject({ ready: false, reasons: ['There is no passed drill yet'] });
    const drill = await offline('drill', '--json');
    expect([drill.code, drill.stderr]).toEqual([0, '']);
    expect(documentOf(drill)).toMatchObject({
      passed: true,
      fidelity: { exact: { fields: expect.any(Number) as number }, bestEffort: {}, lost: {} },
      differences: expect.any(Array) as unknown[],
      brokenLinks: { before: 0, after: 0 },
    });
    const after = await offline('status');
    expect([after.code, after.stdout.split('\n')[0]]).toEqual([0, 'Ready']);
  });

  it('examines platform, token, disk, lease and mirror', async () => {
    const ended = await runCli(['doctor', '--json'], { env });
    const { findings } = documentOf<{ findings: { check: string; state: string }[] }>(ended);
    expect(ended.code).toBe(0);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['configuration', 'platform', 'clock', 'token', 'rights', 'disk', 'lease', 'mirror']),
    );
    const wrong = await runCli(['doctor'], { env: { ...env, DOCMIRROR_TOKEN: 'tok_wrong_word' } });
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('DM_TOKEN_REFUSED');
    expect(wrong.stdout + wrong.stderr).not.toContain('tok_wrong_word');
  });
});

describe('cli/commands/forget and prune', () => {
  it('says first what it would drop and why, then drops and frees it', async () => {
    const dry = await offline('forget', '--keep-last', '1', '--dry-run', '--json');
    expect(documentOf(dry)).toMatchObject({
      dryRun: true,
      snapshots: [
        { snapshot: 1, keep: false, reasons: [expect.any(String)] },
        { snapshot: 2, keep: true },
      ],
      pruned: null,
    });
    expect(documentOf<unknown[]>(await offline('snapshots', '--json'))).toHaveLength(2);
    const done = await offline('forget', '--keep-last', '1', '--prune');
    expect(done.stdout).toContain('1 snapshot dropped, 1 kept');
    expect(documentOf(await offline('snapshots', '--json'))).toMatchObject([{ snapshot: 2, mode: 'incremental' }]);
    expect((await offline('snapshots')).stdout).not.toContain('first');
    expect(documentOf(await offline('prune', '--json'))).toMatchObject({ objects: 0, bodies: 0 });
    expect((await offline('check', '--read-data')).code).toBe(0);
    expect(documentOf(await offline('query', 'select count(*) as n from pages', '--json'))).toEqual([{ n: 6 }]);
  });
});
