import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportSnapshot, type ExportResult } from '../../src/export/index.ts';
import { givenExportPlace } from '../support/export-place.ts';
import type { TestMirror } from '../support/mirror-builder.ts';

let world: TestMirror;
let above: string;
let to: string;
givenExportPlace((place) => ({ world, above, to } = place));

async function take(pages: Record<string, string>): Promise<number> {
  const specs = Object.entries(pages).map(([title, text]) => ({ id: title, title, text }));
  return world.add({ spaces: [{ id: 's1', title: 'Space', pages: specs }] });
}

// No settings of whoever runs the tests: HOME is empty.
function exported(snapshot: number, environment: Record<string, string> = {}): Promise<ExportResult> {
  const git = { PATH: process.env['PATH'], HOME: above, ...environment };
  return exportSnapshot({ mirror: world.mirror, snapshot, to, git });
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: to, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: above } });
}

/** How often a command of git has waited for the disk, by its own account. */
function flushed(log: string, command: string): number {
  const events = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as GitEvent);
  const sids = events.filter(({ event, name }) => event === 'cmd_name' && name === command).map(({ sid }) => sid);
  const isFlush = ({ key, name }: GitEvent): boolean => `${key} ${name}`.includes('hardware-flush');
  const counts = events.filter((event) => sids.includes(event.sid) && isFlush(event));
  return counts.reduce((sum, { value, count }) => sum + Number(value ?? count), 0);
}

/** Of git's own log (GIT_TRACE2_EVENT); what is counted stands under `key` and `value`, from git 2.40 on under `name` and `count`. */
interface GitEvent {
  sid: string;
  event: string;
  name?: string;
  key?: string;
  value?: string;
  count?: number;
}

const [, minor = '0'] = /version 2\.(\d+)/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' })) ?? [];
// It waits for the disk as it is told from 2.36 on.
const isOld = Number(minor) < 36;

describe('export/git/git-history', () => {
  it('makes one commit for each snapshot that changed something, with number, time and counts', async () => {
    const first = await exported(await take({ A: 'one', B: 'two' }));
    const same = await exported(await take({ A: 'one', B: 'two' }));
    const third = await exported(await take({ A: 'changed', C: 'three' }));
    expect([first.commit, same.commit, third.commit]).toEqual([
      expect.stringMatching(/^[0-9a-f]{40}$/),
      null,
      expect.stringMatching(/^[0-9a-f]{40}$/),
    ]);
    expect(git('log', '--format=%an <%ae> %s').trim().split('\n')).toEqual([
      // Beside the pages: the table of contents and the list of hashes.
      'Docmirror <docmirror@localhost> Snapshot 3 of 2025-01-01T00:00:00.000Z: 1 added, 3 changed, 1 removed',
      'Docmirror <docmirror@localhost> Snapshot 1 of 2025-01-01T00:00:00.000Z: 5 added, 0 changed, 0 removed',
    ]);
    expect(git('show', 'HEAD~1:acme/space/a.md')).toBe('# A\n\none');
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
    expect(git('fsck', '--strict')).toBe('');
  });

  it.skipIf(isOld)(
    'has a commit on the disk before it goes on: a power cut left a repository whose newest objects were empty',
    async () => {
      const log = join(above, 'git.log');
      const folder = join(above, 'bin');
      mkdirSync(folder);
      const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
      const script = `#!/bin/sh\nGIT_TRACE2_EVENT=${log} exec ${real} "$@"\n`;
      writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
      await exported(await take({ A: 'one' }), { PATH: `${folder}:${process.env['PATH']}` });
      const flushes = (command: string): number => flushed(readFileSync(log, 'utf8'), command);
      // Objects of the pages; the trees, the commit and its branch.
      expect(flushes('update-index')).toBeGreaterThanOrEqual(1);
      expect(flushes('commit')).toBeGreaterThanOrEqual(2);
    },
  );

  it('shows a clean tree to git status, with what a person excludes left as it is, in an older repository too', async () => {
    await exported(await take({ A: 'one' }));
    expect(git('status', '--porcelain')).toBe('');
    const exclude = join(above, '.content.docmirror-git', 'info', 'exclude');
    // As it was before, and without an end of its last line.
    writeFileSync(exclude, '*.mine');
    writeFileSync(join(to, 'a.mine'), 'own');
    await exported(await take({ A: 'one' }));
    expect([git('status', '--porcelain'), readFileSync(exclude, 'utf8')]).toEqual(['', '*.mine\n/.docmirror-*\n']);
    writeFileSync(join(to, 'new.txt'), 'own');
    expect(git('status', '--porcelain')).toBe('?? new.txt\n');
  });

  it('leaves nothing in the folder that an export without it does not, but the link to the repository', async () => {
    const snapshot = await take({ A: 'one' });
    await exported(snapshot);
    await exportSnapshot({ mirror: world.mirror, snapshot, to: join(above, 'plain') });
    expect(readdirSync(to).toSorted()).toEqual(['.git', ...readdirSync(join(above, 'plain'))].toSorted());
  });

  it('keeps the history when the folder is moved with the repository beside it', async () => {
    await exported(await take({ A: 'one' }));
    const elsewhere = mkdtempSync(join(tmpdir(), 'docmirror-git-moved-'));
    renameSync(to, join(elsewhere, 'content'));
    renameSync(join(above, '.content.docmirror-git'), join(elsewhere, '.content.docmirror-git'));
    to = join(elsewhere, 'content');
    await exported(await take({ A: 'two' }));
    expect(git('log', '--format=%s').trim().split('\n')).toHaveLength(2);
    rmSync(elsewhere, { recursive: true });
  });

  it('catches up with what was exported without it or was cut off, and keeps the history meanwhile', async () => {
    await exported(await take({ A: 'one' }));
    await exportSnapshot({ mirror: world.mirror, snapshot: await take({ A: 'two' }), to });
    expect(git('log', '--format=%s').trim().split('\n')).toHaveLength(1);
    writeFileSync(join(above, '.content.docmirror-git', 'index.lock'), '');
    expect((await exported(2)).commit).not.toBeNull();
    expect(git('show', 'HEAD:acme/space/a.md')).toBe('# A\n\ntwo');
  });

  it('commits nothing that a person has put into the folder', async () => {
    await exported(await take({ A: 'one' }));
    writeFileSync(join(to, 'mine.txt'), 'secret');
    await exported(await take({ A: 'two' }));
    expect(git('ls-files')).toBe('README.md\nSHA256SUMS\nacme/space/SUMMARY.md\nacme/space/a.md\n');
    expect(readFileSync(join(to, 'mine.txt'), 'utf8')).toBe('secret');
  });

  it('takes no setting of the person who runs it, nor another repository from the environment', async () => {
    writeFileSync(
      join(above, '.gitconfig'),
      '[core]\n hooksPath = /nowhere\n[commit]\n gpgsign = true\n[user]\n name = Me\n',
    );
    const environment = { GIT_DIR: join(above, 'other'), GIT_AUTHOR_NAME: 'Me', GIT_INDEX_FILE: join(above, 'index') };
    await exported(await take({ A: 'one' }), environment);
    expect(git('log', '--format=%an %cn')).toBe('Docmirror Docmirror\n');
    expect(existsSync(join(above, 'other'))).toBe(false);
  });

  it('says that git is missing before anything is written', async () => {
    const snapshot = await take({ A: 'one' });
    const failure = { code: 'DM_USAGE', message: expect.stringContaining('git cannot be started') };
    await expect(exported(snapshot, { PATH: join(above, 'empty') })).rejects.toMatchObject(failure);
    expect(existsSync(to)).toBe(false);
  });

  it('shows no secret of the environment to git, nor to what git may start', async () => {
    const bin = join(above, 'bin');
    mkdirSync(bin);
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\nenv >> ${join(above, 'seen')}\nexec ${real} "$@"\n`, { mode: 0o755 });
    const PATH = `${bin}:${process.env['PATH']}`;
    const secrets = {
      DOCMIRROR_TOKEN: 'planted-token',
      OWN_VARIABLE: 'planted-reference',
      SSH_AUTH_SOCK: 'planted-agent',
    };
    await exported(await take({ A: 'one' }), { PATH, ...secrets });
    const seen = readFileSync(join(above, 'seen'), 'utf8');
    expect(seen).toContain(`PATH=${bin}`);
    expect(seen).not.toContain('planted');
  });

  it('records the bytes that are there, whatever attributes a person puts beside them: line ends were others in the commit', async () => {
    const bytes = Buffer.from('one\r\ntwo\r\n$Id: mine $\r\n');
    await exported(await take({ A: 'one' }));
    writeFileSync(join(to, '.gitattributes'), '* text=auto eol=lf ident\n*.txt working-tree-encoding=UTF-16\n');
    const files = ['a.txt', 'b.bin'].map((name) => ({ id: name, name, bytes }));
    await exported(await world.add({ spaces: [{ id: 's1', title: 'Space', files }] }));
    for (const name of ['a.txt', 'b.bin']) expect(git('show', `HEAD:acme/space/assets/${name}`)).toBe(bytes.toString());
    expect(git('status', '--porcelain')).toBe('?? .gitattributes\n');
  });

  it('records the bytes that are there where a filter of a person would change them', async () => {
    await exported(await take({ A: 'one' }));
    git('config', 'filter.rot.clean', 'tr a-z n-za-m');
    writeFileSync(join(to, '.gitattributes'), '* filter=rot\n');
    await exported(await take({ A: 'two' }));
    expect(git('show', 'HEAD:acme/space/a.md')).toBe('# A\n\ntwo');
  });

  it.skipIf(process.getuid?.() !== 0)(
    'starts nothing that a repository of another user names: whoever may write beside the folder could have it run',
    async () => {
      const beside = join(above, `.${basename(to)}.docmirror-git`);
      execFileSync('git', ['init', '--quiet', '--bare', beside]);
      const ran = join(above, 'ran');
      execFileSync('git', ['config', '--file', join(beside, 'config'), 'core.fsmonitor', `touch ${ran}; false`]);
      chownSync(beside, 65_534, 65_534);
      const failure = { code: 'DM_USAGE', message: expect.stringContaining('another user') as string };
      const snapshot = await take({ A: 'one' });
      await expect(exported(snapshot)).rejects.toMatchObject(failure);
      expect([
        existsSync(ran),
        existsSync(to),
        readdirSync(above).filter((name) => name.startsWith('.docmirror-')),
      ]).toEqual([false, false, []]);
      chownSync(beside, 0, 0);
      // Nor one of this user to which a link of theirs leads.
      const elsewhere = join(above, 'ours.git');
      renameSync(beside, elsewhere);
      symlinkSync(elsewhere, beside);
      lchownSync(beside, 65_534, 65_534);
      await expect(exported(snapshot)).rejects.toMatchObject(failure);
      lchownSync(beside, 0, 0);
      expect((await exported(snapshot)).commit).not.toBeNull();
    },
  );

  it("leaves a person's own repository in the folder alone", async () => {
    await exportSnapshot({ mirror: world.mirror, snapshot: await take({ A: 'one' }), to });
    mkdirSync(join(to, '.git'));
    writeFileSync(join(to, '.git/HEAD'), 'ref: refs/heads/mine\n');
    const snapshot = await take({ A: 'two' });
    await expect(exported(snapshot)).rejects.toMatchObject({ code: 'DM_USAGE' });
    expect(await exportSnapshot({ mirror: world.mirror, snapshot, to })).toMatchObject({ foreign: 1, written: 1 });
    expect(readFileSync(join(to, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/mine\n');
  });

  it('says what git says when it cannot record, and the export is there all the same', async () => {
    const snapshot = await take({ A: 'one' });
    writeFileSync(join(above, '.content.docmirror-git'), 'in the way');
    await expect(exported(snapshot)).rejects.toMatchObject({ code: 'DM_GIT_FAILED' });
    expect(statSync(join(to, 'acme/space/a.md')).isFile()).toBe(true);
  });

  it.each(['HEAD.lock', 'refs/heads/main.lock', 'packed-refs.lock', 'index.lock'])(
    'records the next night after a git that was killed and left %s behind',
    async (lock) => {
      await exported(await take({ A: 'one' }));
      writeFileSync(join(above, '.content.docmirror-git', lock), '');
      expect((await exported(await take({ A: 'two' }))).commit).toMatch(/^[0-9a-f]{40}$/);
      expect(git('log', '--format=%s').trim().split('\n')).toHaveLength(2);
    },
  );

  it('records the next night with an index that a power cut has left empty', async () => {
    await exported(await take({ A: 'one', B: 'two' }));
    writeFileSync(join(above, '.content.docmirror-git/index'), '');
    await exported(await take({ A: 'changed' }));
    expect(git('ls-files')).toBe('README.md\nSHA256SUMS\nacme/space/SUMMARY.md\nacme/space/a.md\n');
    expect([git('status', '--porcelain'), git('show', 'HEAD:acme/space/a.md')]).toEqual(['', '# A\n\nchanged']);
  });

  it('goes on with its branch when a person has checked out an earlier commit to look at it', async () => {
    for (const text of ['one', 'two']) await exported(await take({ A: text }));
    git('checkout', '--quiet', 'HEAD~1');
    await exported(await take({ A: 'three' }));
    expect(git('log', '--format=%s', 'main').trim().split('\n')).toHaveLength(3);
    expect([git('status', '--porcelain'), git('show', 'main:acme/space/a.md')]).toEqual(['', '# A\n\nthree']);
  });

  it('leaves no page of an earlier commit behind that a person has checked out, and drops nothing of theirs', async () => {
    for (const pages of [{ A: 'one', Gone: 'then' }, { A: 'two' }]) await exported(await take(pages));
    git('checkout', '--quiet', 'HEAD~1');
    writeFileSync(join(to, 'acme/space/mine.md'), 'mine');
    expect(await exported(await take({ A: 'three' }))).toMatchObject({ removed: 1, foreign: 1 });
    expect(existsSync(join(to, 'acme/space/gone.md'))).toBe(false);
    expect(git('status', '--porcelain')).toBe('?? acme/space/mine.md\n');
    git('add', 'acme/space/mine.md');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'by hand');
    writeFileSync(join(to, 'SHA256SUMS'), 'edited');
    expect(await exported(await take({ A: 'four' }))).toMatchObject({ foreign: 1 });
    expect(readFileSync(join(to, 'acme/space/mine.md'), 'utf8')).toBe('mine');
  });

  it('takes what was committed on no branch into its branch, where that lacks nothing of it', async () => {
    await exported(await take({ A: 'one' }));
    git('checkout', '--quiet', '--detach');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'by hand');
    await exported(await take({ A: 'two' }));
    expect(git('log', '--format=%s', 'main')).toContain('by hand');
  });

  it('begins a branch of a person that has no commit yet', async () => {
    await exported(await take({ A: 'one' }));
    git('symbolic-ref', 'HEAD', 'refs/heads/mine');
    await exported(await take({ A: 'two' }));
    expect([git('rev-list', '--count', 'mine').trim(), git('rev-list', '--count', 'main').trim()]).toEqual(['1', '1']);
  });

  it('leaves out nothing of a space whose name git takes for its own folder', async () => {
    const pages = [{ id: 'A', title: 'A', text: 'one' }];
    await exported(await world.add({ spaces: [{ id: 's1', title: 'GIT~1', pages }] }));
    expect(git('ls-files')).toContain('acme/_git~1/a.md\n');
  });
});
