import { chmodSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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

describe('export/folder mode', () => {
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
