import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { AppError, ensurePrivateDirectory, removeTree, resolveInside, writeFileAtomic } from '../../src/base/index.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'docmirror-files-'));
});

afterEach(() => removeTree(root));

describe('base/files', () => {
  it('replaces a file whole and leaves nothing else behind', async () => {
    const file = path.join(root, 'a.json');
    await writeFileAtomic(file, 'old');
    await writeFileAtomic(file, Buffer.from('new'));
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(await readdir(root)).toEqual(['a.json']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('leaves the old thing and no temporary file when it cannot replace it', async () => {
    const file = path.join(root, 'taken');
    await mkdir(path.join(file, 'inside'), { recursive: true });
    await expect(writeFileAtomic(file, 'x')).rejects.toThrow();
    expect(await readdir(root)).toEqual(['taken']);
    expect(await readdir(file)).toEqual(['inside']);
  });

  it('removes what killed writers of the same file left an hour ago, and nothing of others: each killed plan left a file for ever', async () => {
    const file = path.join(root, 'plan.json');
    const left = (name: string, letter: string): string =>
      `${name}.${letter.repeat(8)}-1111-4222-8333-${'0'.repeat(12)}.tmp`;
    const [old, recent, other] = [left('plan.json', 'a'), left('plan.json', 'b'), left('other.json', 'a')];
    const own = 'plan.json.mine.tmp';
    for (const name of [old, recent, other, own]) await writeFile(path.join(root, name), 'half');
    for (const name of [old, other, own]) await utimes(path.join(root, name), 0, 0);
    await writeFileAtomic(file, 'whole');
    expect((await readdir(root)).toSorted()).toEqual([other, 'plan.json', recent, own].toSorted());
  });

  it.each(['pipe', 'link to it'])('writes into a device or pipe and puts no file in its place: a %s', async (name) => {
    const pipe = path.join(root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await symlink(pipe, path.join(root, 'link to it'));
    // For both directions, so that neither side waits for the other.
    const reader = await open(pipe, 'r+');
    try {
      await writeFileAtomic(path.join(root, name), 'text');
      expect((await stat(path.join(root, name))).isFIFO()).toBe(true);
      expect((await reader.read(Buffer.alloc(10), 0, 10)).bytesRead).toBe(4);
    } finally {
      await reader.close();
    }
  });

  it('makes a folder for this user only and leaves an existing one alone', async () => {
    const made = path.join(root, 'a', 'b');
    await ensurePrivateDirectory(made);
    expect((await stat(made)).mode & 0o777).toBe(0o700);
    await chmod(made, 0o755);
    await ensurePrivateDirectory(made);
    expect((await stat(made)).mode & 0o777).toBe(0o755);
  });

  it('says so when a file is in the place of the folder', async () => {
    const file = path.join(root, 'file');
    await writeFile(file, 'x');
    for (const place of [file, path.join(file, 'below')]) {
      const error: unknown = await ensurePrivateDirectory(place).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'DM_DATA_DIR_UNUSABLE',
        message: expect.stringContaining('a file is in its place'),
      });
    }
  });

  it('says what to do about a name that is too long: permission was to be given', async () => {
    const made = ensurePrivateDirectory(path.join(root, 'x'.repeat(300)));
    await expect(made).rejects.toMatchObject({ code: 'DM_DATA_DIR_UNUSABLE', hint: 'Choose a shorter path.' });
  });

  it.each(['/proc/x', '/proc/x/y'])('ends when no folder can be made at %s', async (place) => {
    const error: unknown = await ensurePrivateDirectory(place).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'DM_DATA_DIR_UNUSABLE', message: expect.stringContaining('no folder can be') });
  });

  it('follows a link that leads to a folder', async () => {
    await mkdir(path.join(root, 'real'));
    await symlink(path.join(root, 'real'), path.join(root, 'link'));
    await ensurePrivateDirectory(path.join(root, 'link'));
  });

  it('does nothing when there is nothing to remove', async () => {
    await removeTree(path.join(root, 'none'));
  });

  it.each(['../x', 'a/../../x', '/etc/passwd', 'a\0b', '..'])('refuses %j as a path inside', (relative) => {
    expect(() => resolveInside('/data/root', relative)).toThrow(AppError);
  });

  it('gives paths inside the root or throws, for any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('..', '.', 'a', '', '...', 'b c', '~')), (parts) => {
        let full: string;
        try {
          full = resolveInside('/data/root', parts.join('/'));
        } catch {
          return;
        }
        expect(full === '/data/root' || full.startsWith('/data/root/')).toBe(true);
      }),
    );
  });

  it('takes names that only begin with dots', () => {
    expect(resolveInside('/data', '..a/b')).toBe('/data/..a/b');
  });
});
