// Folders that people keep among the files of an export, and those that the system does not let it use.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportSnapshot, type ExportResult } from '../../src/export/index.ts';
import { resolveSnapshot } from '../../src/mirror/index.ts';
import { MAIN } from '../support/cli.ts';
import { givenExportPlace } from '../support/export-place.ts';
import type { TestMirror } from '../support/mirror-builder.ts';
import { canStart, NOBODY } from '../support/nobody.ts';

let world: TestMirror;
let above: string;
let to: string;
givenExportPlace((place) => ({ world, above, to } = place));

let nights = 0;

/** A snapshot in which a page is new. */
function snapshot(): Promise<number> {
  const pages = [{ id: 'p1', title: 'Page', text: `Text ${nights++}` }];
  return world.add({ spaces: [{ id: 's1', title: 'Space', pages }] });
}

async function night(place = to): Promise<ExportResult> {
  return exportSnapshot({ mirror: world.mirror, snapshot: await snapshot(), to: place });
}

function git(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

const NOBODY_ID = 65_534;
const SOMEBODY_ID = 4241;
const GROUP_ID = 4242;
const isRoot = process.geteuid?.() === 0;

/** A night whose export is made by the owner of the folder above: what root is allowed shows nothing of what others are refused. */
async function nightOfOwner(): Promise<ExportResult> {
  if (!isRoot) return night();
  const made = await snapshot();
  for (const passed of [dirname(above), world.dataDir]) chmodSync(passed, 0o711);
  chownSync(above, NOBODY_ID, NOBODY_ID);
  process.seteuid?.(NOBODY_ID);
  try {
    return await exportSnapshot({ mirror: world.mirror, snapshot: made, to });
  } finally {
    process.seteuid?.(0);
  }
}

describe('export, folders of people in it', () => {
  it('keeps a repository of their own whole: it lost the empty folders that git needs once all is packed', async () => {
    await night();
    git(to, 'init', '--quiet');
    git(to, 'add', '--all');
    git(to, 'commit', '--quiet', '--message=One');
    git(to, 'pack-refs', '--all');
    expect((await night()).foreign).toBeGreaterThan(0);
    expect(git(to, 'log', '--format=%s')).toBe('One\n');
    expect(git(to, 'status', '--short')).toContain('page.md');
  });

  it('keeps them with nothing in them, and as closed as they are: others could enter a private one after a night', async () => {
    await night();
    mkdirSync(join(to, 'acme/mine/empty'), { recursive: true });
    mkdirSync(join(to, 'private/within'), { recursive: true });
    writeFileSync(join(to, 'private/within/a.txt'), 'mine');
    chmodSync(join(to, 'private'), 0o700);
    chmodSync(join(to, 'private/within'), 0o570);
    await night();
    expect(statSync(join(to, 'acme/mine/empty')).isDirectory()).toBe(true);
    expect(statSync(join(to, 'private')).mode & 0o777).toBe(0o700);
    expect(statSync(join(to, 'private/within')).mode & 0o777).toBe(0o570);
    expect(readFileSync(join(to, 'private/within/a.txt'), 'utf8')).toBe('mine');
  });

  it('names a file of theirs in whose place a folder of the export was: a fault of Docmirror was told', async () => {
    await night();
    rmSync(join(to, 'acme/space'), { recursive: true });
    writeFileSync(join(to, 'acme/space'), 'mine');
    await expect(night()).rejects.toMatchObject({ code: 'DM_USAGE', message: expect.stringContaining('"acme/space"') });
    expect(readFileSync(join(to, 'acme/space'), 'utf8')).toBe('mine');
    rmSync(join(to, 'acme/space'));
    expect(await night()).toMatchObject({ foreign: 0 });
  });

  it.each(['SHA256SUMS', '.docmirror-index.db'])(
    'names one in the place of %s: a fault of Docmirror was told',
    async (list) => {
      await night();
      rmSync(join(to, list));
      mkdirSync(join(to, list));
      await expect(night()).rejects.toMatchObject({ code: 'DM_USAGE', message: expect.stringContaining(`"${list}/"`) });
      rmdirSync(join(to, list));
      expect(await night()).toMatchObject({ foreign: 0 });
    },
  );

  it('takes no folder for an export in which the place of the manifest is a folder', async () => {
    await night();
    rmSync(join(to, '.docmirror-export.json'));
    mkdirSync(join(to, '.docmirror-export.json'));
    await expect(night()).rejects.toMatchObject({
      code: 'DM_USAGE',
      message: expect.stringContaining('no .docmirror-export.json'),
    });
  });

  it('drops folders of its own that hold nothing any more', async () => {
    const pages = [{ id: 'p1', title: 'Page', pages: [{ id: 'p2', title: 'Below' }] }];
    const first = await world.add({ spaces: [{ id: 's1', title: 'Space', pages }] });
    await exportSnapshot({ mirror: world.mirror, snapshot: first, to });
    expect(existsSync(join(to, 'acme/space/page'))).toBe(true);
    await night();
    expect(existsSync(join(to, 'acme/space/page'))).toBe(false);
  });

  it('keeps what makes it a worktree of a repository elsewhere, and records nothing there: its .git was gone', async () => {
    const elsewhere = join(above, 'elsewhere');
    mkdirSync(elsewhere);
    git(elsewhere, 'init', '--quiet');
    git(elsewhere, 'commit', '--quiet', '--allow-empty', '--message=Root');
    await night();
    git(elsewhere, 'worktree', 'add', '--quiet', '--no-checkout', join(above, 'tree'));
    writeFileSync(join(to, '.git'), readFileSync(join(above, 'tree/.git')));
    const leads = readFileSync(join(to, '.git'), 'utf8');
    await night();
    expect(readFileSync(join(to, '.git'), 'utf8')).toBe(leads);
    const recorded = exportSnapshot({ mirror: world.mirror, snapshot: await snapshot(), to, git: { ...process.env } });
    await expect(recorded).rejects.toMatchObject({
      code: 'DM_USAGE',
      message: expect.stringContaining('somebody else'),
    });
    expect(readFileSync(join(to, '.git'), 'utf8')).toBe(leads);
  });

  it.skipIf(!isRoot)(
    'leaves one that people share to their group: they could not enter it any more after a night',
    async () => {
      await nightOfOwner();
      const shared = join(to, 'shared');
      mkdirSync(shared);
      chownSync(shared, SOMEBODY_ID, GROUP_ID);
      chmodSync(shared, 0o2770);
      const groups = process.getgroups?.() ?? [];
      process.setgroups?.([...groups, GROUP_ID]);
      try {
        await nightOfOwner();
      } finally {
        process.setgroups?.(groups);
      }
      expect(statSync(shared)).toMatchObject({ gid: GROUP_ID });
      expect(statSync(shared).mode & 0o7777).toBe(0o2770);
    },
  );

  it('goes on where one may not be written into: its last tree could not be removed, and no further export was made', async () => {
    await nightOfOwner();
    const closed = join(to, 'closed');
    mkdirSync(closed);
    writeFileSync(join(closed, 'a.txt'), 'mine');
    if (isRoot) chownSync(closed, NOBODY_ID, NOBODY_ID);
    for (let count = 0; count < 2; count++) {
      for (const folder of [closed, join(to, 'acme/space')]) chmodSync(folder, 0o555);
      expect(await nightOfOwner()).toMatchObject({ foreign: 1 });
    }
    expect(statSync(closed).mode & 0o777).toBe(0o555);
    expect(readFileSync(join(closed, 'a.txt'), 'utf8')).toBe('mine');
    chmodSync(closed, 0o755);
  });
});

describe('export, links that somebody has put there', () => {
  it('removes the link where it builds and where the last tree goes, and nothing that it leads to: folders elsewhere were emptied', async () => {
    await night();
    const elsewhere = join(above, 'elsewhere');
    mkdirSync(join(elsewhere, 'within'), { recursive: true });
    writeFileSync(join(elsewhere, 'within/a.txt'), 'precious');
    for (const what of ['new', 'old']) symlinkSync('elsewhere', join(above, `.content.docmirror-${what}`));
    expect(await night()).toMatchObject({ written: 1 });
    expect(readFileSync(join(elsewhere, 'within/a.txt'), 'utf8')).toBe('precious');
    expect(readdirSync(above).toSorted()).toEqual(['content', 'elsewhere']);
  });

  it('makes nothing of them the export, where it is not there', async () => {
    mkdirSync(join(above, 'elsewhere'));
    for (const what of ['new', 'old']) symlinkSync('elsewhere', join(above, `.content.docmirror-${what}`));
    expect(await night()).toMatchObject({ pages: 1 });
    expect(lstatSync(to).isDirectory()).toBe(true);
    expect(readdirSync(join(above, 'elsewhere'))).toEqual([]);
  });

  it('writes a file anew in whose place a link leads elsewhere, though size and time are the same there', async () => {
    await night();
    const page = join(to, 'acme/space/page.md');
    renameSync(page, join(above, 'outside.md'));
    symlinkSync('../../../outside.md', page);
    const { id } = resolveSnapshot(world.mirror, 'latest');
    expect(await exportSnapshot({ mirror: world.mirror, snapshot: id, to })).toMatchObject({ written: 1 });
    expect(lstatSync(page).isFile()).toBe(true);
  });
});

describe.skipIf(!isRoot || !canStart())('export, folders of others in it', () => {
  it.each(['own', 'acme'])('are refused by name before anything is changed: %s', async (name) => {
    await nightOfOwner();
    const theirs = join(to, name);
    mkdirSync(theirs, { recursive: true });
    writeFileSync(join(theirs, 'theirs.txt'), 'theirs');
    chownSync(theirs, 0, 0);
    await snapshot();
    execFileSync('chown', ['-R', String(NOBODY_ID), world.dataDir]);
    const before = readFileSync(join(to, 'acme/space/page.md'), 'utf8');
    for (let count = 0; count < 2; count++) {
      const env = { PATH: process.env['PATH'] ?? '', DOCMIRROR_DATA_DIR: world.dataDir };
      const asked = { env, cwd: '/', encoding: 'utf8' as const, ...NOBODY };
      const { status, stderr } = spawnSync(process.execPath, [MAIN, 'export', '--to', to], asked);
      expect([status, stderr]).toEqual([2, expect.stringContaining(`"${name}/" in it is closed to this user`)]);
    }
    expect(readFileSync(join(to, 'acme/space/page.md'), 'utf8')).toBe(before);
    expect(readFileSync(join(theirs, 'theirs.txt'), 'utf8')).toBe('theirs');
  });
});

describe('export, places that the system refuses', () => {
  it.each([250, 300])(
    'says so of the export: a name of %i signs was said to be of the data directory',
    async (length) => {
      const place = join(above, 'x'.repeat(length));
      const refused = { code: 'DM_USAGE', message: expect.stringContaining('longer than the system takes') };
      await expect(night(place)).rejects.toMatchObject(refused);
    },
  );

  it('says so of one that it may not write to', async () => {
    chmodSync(above, 0o555);
    const refused = { code: 'DM_USAGE', message: expect.stringContaining('this user may not write there') };
    await expect(nightOfOwner()).rejects.toMatchObject(refused);
    chmodSync(above, 0o755);
    await nightOfOwner();
    chmodSync(to, 0o000);
    const closed = { code: 'DM_USAGE', message: expect.stringContaining(`Cannot export to ${to}`) };
    await expect(nightOfOwner()).rejects.toMatchObject(closed);
    chmodSync(to, 0o755);
  });
});
