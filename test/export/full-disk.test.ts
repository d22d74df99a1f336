import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportSnapshot } from '../../src/export/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { givenSmallDisk } from '../support/small-disk.ts';

const SPACES = [{ id: 's1', title: 'Space', pages: [{ id: 'a', title: 'A', text: 'one' }] }];
const NO_ROOM = 0;

describe('export/full-disk', () => {
  it('names the folder of the export when its disk is full from the beginning, and not the data directory', async (context) => {
    const { disk, folder } = givenSmallDisk(context);
    using world = await createTestMirror();
    const [snapshot, to] = [await world.add({ spaces: SPACES }), join(folder, 'content')];
    for (const limit of [() => disk.fill(NO_ROOM), () => disk.limitFiles(0)]) {
      limit();
      const message = `The export to ${to} was not finished: its disk is full`;
      const hint = 'Mend that (files may have run out too: df -i), or export to another disk. Nothing was written.';
      await expect(exportSnapshot({ mirror: world.mirror, snapshot, to })).rejects.toMatchObject({ message, hint });
      disk.free();
    }
    disk.limitFiles(null);
    expect(await exportSnapshot({ mirror: world.mirror, snapshot, to })).toMatchObject({ pages: 1 });
  });

  it('says that the disk is full when git finds it so, and asks nobody to mend the repository', async (context) => {
    const { disk, folder } = givenSmallDisk(context);
    using world = await createTestMirror();
    const [snapshot, to] = [await world.add({ spaces: SPACES }), join(folder, 'content')];
    const options = { mirror: world.mirror, snapshot, to };
    const git = { PATH: process.env['PATH'], HOME: folder };
    await exportSnapshot(options);
    execFileSync('git', [
      'init',
      '--quiet',
      '--initial-branch=main',
      `--separate-git-dir=${folder}/.content.docmirror-git`,
      to,
    ]);
    disk.limitFiles(6);
    await expect(exportSnapshot({ ...options, git })).rejects.toMatchObject({
      code: 'DM_DISK_FULL',
      message: expect.stringMatching(/^git could not record the export in .*: .*No space left on device$/),
      hint: expect.not.stringContaining('Mend'),
    });
    disk.limitFiles(null);
    expect((await exportSnapshot({ ...options, git })).commit).toMatch(/^[0-9a-f]{40}$/);
  });
});
