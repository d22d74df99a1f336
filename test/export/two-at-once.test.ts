// Exports that meet in one folder, and places that are not what they seem.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkExport, exportSnapshot } from '../../src/export/index.ts';
import { Pace } from '../../src/export/files/pace.ts';
import { placesOf, recover, swapIn } from '../../src/export/files/swap.ts';
import { tellingLostIndex } from '../../src/export/outcome.ts';
import { MAIN } from '../support/cli.ts';
import { givenExportPlace } from '../support/export-place.ts';
import type { TestMirror } from '../support/mirror-builder.ts';

let world: TestMirror;
let above: string;
let to: string;
givenExportPlace((place) => ({ world, above, to } = place));

const PAGES = Array.from({ length: 40 }, (_, i) => ({ id: `p${i}`, title: `Page ${i}`, text: 'text' }));

/** The program, while nothing else of this process goes on. */
function exportCommand(): { status: number | null; stderr: string } {
  const args = [MAIN, 'export', '--to', to, '--data-dir', world.dataDir];
  return spawnSync(process.execPath, args, { encoding: 'utf8', cwd: above });
}

/** There is an export, and another one beside it, which comes into its place when this is called for the first time. */
async function replacing(pages: typeof PAGES): Promise<() => void> {
  const { mirror } = world;
  const next = join(above, 'next');
  const first = await world.add({ spaces: [{ id: 's1', title: 'S', pages: PAGES }] });
  await exportSnapshot({ mirror, snapshot: first, to });
  const snapshot = await world.add({ spaces: [{ id: 's1', title: 'S', pages }] });
  await exportSnapshot({ mirror, snapshot, to: next });
  return () => {
    if (!existsSync(next)) return;
    renameSync(to, join(above, 'last'));
    renameSync(next, to);
  };
}

describe('export/two at once', () => {
  it('refuses the second in plain words, and the first ends whole', async () => {
    const snapshot = await world.add({ spaces: [{ id: 's1', title: 'S', pages: PAGES }] });
    const seconds: ReturnType<typeof exportCommand>[] = [];
    const onProgress = (): void => {
      if (seconds.length === 0) seconds.push(exportCommand());
    };
    await exportSnapshot({ mirror: world.mirror, snapshot, to, onProgress });
    expect(seconds[0]?.stderr).toMatch(
      /Another export to \S+ is under way.*\(DM_ALREADY_RUNNING\)\n {2}what to do: Wait/,
    );
    expect(seconds[0]?.status).toBe(1);
    expect(readdirSync(above)).toEqual(['content']);
    expect(await checkExport(to)).toEqual([]);
    expect(exportCommand().status).toBe(0);
  });

  it('takes a new export that comes into its place while it is checked for whole: its files were called changed and missing, to be deleted', async () => {
    const others = PAGES.map((page, i) => (i % 2 === 0 ? page : { ...page, title: `Other ${i}`, text: 'other' }));
    const onProgress = await replacing(others);
    expect(await checkExport(to, { onProgress })).toEqual([]);
  });

  it('names what is wrong in the new export that comes into its place while it is checked, and nothing of the one before', async () => {
    const replace = await replacing(PAGES.slice(0, 20));
    const onProgress = (): void => {
      replace();
      writeFileSync(join(to, 'README.md'), 'damaged');
    };
    expect((await checkExport(to, { onProgress })).map(({ which }) => which)).toEqual(['README.md']);
  });

  it('goes on where a kill has left the lock lying', async () => {
    const snapshot = await world.add({ spaces: [{ id: 's1', title: 'S', pages: PAGES }] });
    writeFileSync(join(above, '.content.docmirror-lock'), '');
    await exportSnapshot({ mirror: world.mirror, snapshot, to });
    expect(readdirSync(above)).toEqual(['content']);
  });
});

describe('export/place', () => {
  it('says of a last export that is taken away in the middle that something else did so: it was called a fault in Docmirror', async () => {
    const { mirror } = world;
    const first = await world.add({ spaces: [{ id: 's1', title: 'S', pages: PAGES }] });
    await exportSnapshot({ mirror, snapshot: first, to });
    const changed = PAGES.map((page, i) => (i % 2 === 0 ? page : { ...page, text: 'other' }));
    const snapshot = await world.add({ spaces: [{ id: 's1', title: 'S', pages: changed }] });
    const onProgress = (): void => rmSync(to, { recursive: true, force: true });
    await expect(exportSnapshot({ mirror, snapshot, to, onProgress })).rejects.toMatchObject({
      code: 'DM_USAGE',
      hint: expect.stringContaining('Something else moved or removed what lies there') as string,
    });
    await exportSnapshot({ mirror, snapshot, to });
    expect(await checkExport(to)).toEqual([]);
  });

  it('says of what is made beside the last export, and is taken away in the middle, that something else did so: it was called a fault in Docmirror', async () => {
    const { mirror } = world;
    const snapshot = await world.add({ spaces: [{ id: 's1', title: 'S', pages: PAGES }] });
    const building = join(above, '.content.docmirror-new');
    const onProgress = (): void => {
      for (const { name } of readdirSync(building, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
        rmSync(join(building, name), { recursive: true });
    };
    await expect(exportSnapshot({ mirror, snapshot, to, onProgress })).rejects.toMatchObject({
      code: 'DM_USAGE',
      message: expect.stringContaining('files are in what was made beside it') as string,
      hint: expect.stringMatching(/Something else moved or removed .* Nothing was written\.$/) as string,
    });
    await exportSnapshot({ mirror, snapshot, to });
    expect(await checkExport(to)).toEqual([]);
  });

  it('leaves the last export in its place where the new one is taken away at its last stroke', async () => {
    mkdirSync(to);
    await expect(swapIn(await placesOf(to), new Pace(undefined))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(above)).toEqual(['content']);
  });

  it('says so of the index, too, that goes with what is made while it is opened: the disk of the data directory was blamed', async () => {
    const places = await placesOf(to);
    const error = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
    expect(tellingLostIndex(error, places)).toMatchObject({
      code: 'DM_USAGE',
      message: expect.stringContaining('the index of what was made beside it is gone') as string,
      hint: expect.stringMatching(/Something else moved or removed .* Nothing was written\.$/) as string,
    });
    // With the folder above, such as with its disk: no other run helps.
    expect(tellingLostIndex(error, { ...places, target: join(above, 'gone', 'content') })).toBe(error);
    mkdirSync(places.building);
    writeFileSync(join(places.building, '.docmirror-index.db'), '');
    expect(tellingLostIndex(error, places)).toBe(error);
  });

  it('says of a link to a disk that is not mounted that it leads nowhere, and not that Docmirror has a fault', async () => {
    await world.add({ spaces: [{ id: 's1', title: 'S', pages: PAGES }] });
    symlinkSync(join(above, 'not-mounted'), to);
    const { status, stderr } = exportCommand();
    expect(stderr).toContain('it is a link to what is not there');
    expect(status).toBe(2);
    expect(readdirSync(above)).toEqual(['content']);
  });
});

/** Mounts a disk in memory at a new folder; skips the test where that is not allowed. */
function mountedAt(folder: string, skip: (why: string) => never): void {
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  if (status !== 0) skip('a file system may not be mounted here');
}

describe('export, where a file system lets not everything be removed', () => {
  it('refuses a folder in which a disk is mounted, by its name: its files were copied off it and removed from it', async ({
    skip,
  }) => {
    const { mirror } = world;
    const first = await world.add({ spaces: [{ id: 's1', title: 'S', pages: PAGES.slice(1) }] });
    await exportSnapshot({ mirror, snapshot: first, to });
    const own = join(to, 'my own');
    mountedAt(own, skip);
    try {
      writeFileSync(join(own, 'mine'), 'years of work');
      const snapshot = await world.add({ spaces: [{ id: 's1', title: 'S', pages: PAGES }] });
      await expect(exportSnapshot({ mirror, snapshot, to })).rejects.toMatchObject({
        code: 'DM_USAGE',
        message: 'Cannot export to this folder: something is mounted at "my own" in it',
      });
      expect(readdirSync(own)).toEqual(['mine']);
    } finally {
      spawnSync('umount', [own]);
    }
    expect(await exportSnapshot({ mirror, snapshot: first + 1, to })).toMatchObject({ pages: 40 });
    expect(readdirSync(above)).toEqual(['content']);
  });

  it('leaves what is in use of the last tree to a later export: each one failed until it was closed, as if by a fault in Docmirror', async ({
    skip,
  }) => {
    const places = await placesOf(to);
    const pace = new Pace(undefined);
    const build = (): void => {
      mkdirSync(places.building);
      writeFileSync(join(places.building, 'page.md'), 'text');
    };
    build();
    await swapIn(places, pace);
    // It can no more be removed than what an open file leaves on a disk of the network.
    mountedAt(join(to, 'used'), skip);
    const left = (): string[] => readdirSync(above).filter((name) => name.startsWith('.content.docmirror-old-'));
    try {
      for (let night = 0; night < 2; night++) {
        build();
        await swapIn(places, pace);
        await recover(places, pace);
      }
      expect(left().map((name) => readdirSync(join(above, name)))).toEqual([['used']]);
      expect(readdirSync(to)).toEqual(['page.md']);
    } finally {
      for (const name of left()) spawnSync('umount', [join(above, name, 'used')]);
    }
    await recover(places, pace);
    expect(readdirSync(above)).toEqual(['content']);
  });
});
