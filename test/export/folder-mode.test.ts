import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportSnapshot } from '../../src/export/index.ts';
import { givenExportPlace } from '../support/export-place.ts';
import type { TestMirror } from '../support/mirror-builder.ts';

let world: TestMirror;
let to: string;
givenExportPlace((place) => ({ world, to } = place));

async function exported(text: string, ownOnly = false): Promise<number> {
  const snapshot = await world.add({ spaces: [{ id: 's', title: 'S', pages: [{ id: 'p', title: 'P', text }] }] });
  await exportSnapshot({ mirror: world.mirror, snapshot, to, ownOnly });
  return statSync(to).mode & 0o777;
}

let mask: number;
beforeEach(() => (mask = process.umask(0o022)));
afterEach(() => process.umask(mask));

function modesOfFiles(): Record<string, number> {
  const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const modes = files.map(({ parentPath, name }): [string, number] => [
    name,
    statSync(join(parentPath, name)).mode & 0o777,
  ]);
  return Object.fromEntries(modes);
}

describe('export/folder mode', () => {
  it.each(['022', '002', '077'])(
    'has files that are as open as the mask %s lets them be, the index too',
    async (octal) => {
      const own = Number.parseInt(octal, 8);
      process.umask(own);
      for (const text of ['one', 'two']) {
        await exported(text);
        const modes = modesOfFiles();
        expect(Object.keys(modes)).toEqual(expect.arrayContaining(['.docmirror-index.db', 'SHA256SUMS', 'README.md']));
        expect(new Set(Object.values(modes))).toEqual(new Set([0o666 & ~own]));
      }
    },
  );

  it('opens the index that an earlier release closed', async () => {
    await exported('one');
    chmodSync(join(to, '.docmirror-index.db'), 0o600);
    await exported('two');
    expect(modesOfFiles()['.docmirror-index.db']).toBe(0o644);
  });

  it('keeps the index in the data directory for this user alone', async () => {
    process.umask(0);
    for (const text of ['one', 'two']) {
      await exported(text, true);
      expect(modesOfFiles()['.docmirror-index.db']).toBe(0o600);
    }
  });

  it('stays as closed as somebody has made it when the next tree takes its place', async () => {
    await exported('one');
    chmodSync(to, 0o750);
    expect(await exported('two')).toBe(0o750);
    chmodSync(to, 0o700);
    expect(await exported('three')).toBe(0o700);
  });

  it('is for this user alone in the data directory, until somebody opens it', async () => {
    expect(await exported('one', true)).toBe(0o700);
    chmodSync(to, 0o755);
    expect(await exported('two', true)).toBe(0o755);
  });
});
