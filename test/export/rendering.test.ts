// Texts that are made otherwise than before are written, though no page changed.
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { INDEX, RENDERING } from '../../src/export/written/export-index.ts';
import { exportSnapshot, type ExportResult } from '../../src/export/index.ts';
import { givenExportPlace, readTree } from '../support/export-place.ts';
import type { TestMirror, WorldSpec } from '../support/mirror-builder.ts';

let world: TestMirror;
let to: string;
givenExportPlace((place) => ({ world, to } = place));

const put = (snapshot: number): Promise<ExportResult> => exportSnapshot({ mirror: world.mirror, snapshot, to });

const WORLD: WorldSpec = {
  spaces: [
    {
      id: 's1',
      title: 'Guide',
      pages: [
        {
          id: 'p1',
          title: 'One\nTwo',
          text: 'Body.',
          body: { slug: 'one', description: 'key: "value"', icon: 'on', hidden: true },
        },
        { id: 'g1', title: 'Group', type: 'group', pages: [{ id: 'p2', title: 'Below', text: '[x](/pages/p1)\n' }] },
        { id: 'g2', title: 'In plain words', type: 'group', body: { slug: 'in-plain-words' }, pages: [] },
        { id: 'l1', title: 'Site', type: 'link', body: { href: 'https://example.org/a_(b)' } },
        { id: 'p3', title: 'Empty', text: null },
        {
          id: 'p4',
          title: 'Use *args',
          body: {
            layout: { cover: true, coverSize: 'full', title: false },
            cover: { ref: { kind: 'url', url: 'https://example.org/c.png' }, yPos: 3 },
          },
        },
        { id: 'p5', title: 'Picture', text: '![x](https://bytes.test/x.png?token=2)\n' },
      ],
      files: [{ id: 'f1', name: 'x.png', bytes: 'x', body: { downloadURL: 'https://bytes.test/x.png?token=1' } }],
    },
  ],
};

/** Makes of an export what an older version left: one page with its title doubled, all else as it is. */
function asWrittenBefore(page: string): void {
  const file = join(to, page);
  const text = readFileSync(file, 'utf8').replace('\n\nBody.', '\nTwo\n\nBody.');
  writeFileSync(file, text);
  const { size, mtimeMs } = statSync(file);
  const index = new Database(join(to, INDEX));
  index.prepare("update meta set value = '1' where name = 'rendering'").run();
  index
    .prepare('update files set sha256 = ?, size = ?, mtime = ? where path = ?')
    .run(createHash('sha256').update(text).digest(), size, mtimeMs, page);
  index.close();
}

describe('export/rendering', () => {
  it('writes what an older version wrote otherwise, and nothing else: a doubled title stayed until somebody edited the page', async () => {
    const snapshot = await world.add(WORLD);
    await put(snapshot);
    const page = Object.keys(readTree(to, [])).find((path) => path.endsWith('/one.md')) ?? '';
    const right = readFileSync(join(to, page), 'utf8');
    asWrittenBefore(page);
    expect(readFileSync(join(to, page), 'utf8')).toContain('\nTwo\n');
    expect(await put(snapshot)).toMatchObject({ written: 1, removed: 0 });
    expect(readFileSync(join(to, page), 'utf8')).toBe(right);
    expect(await put(snapshot)).toMatchObject({ written: 0, removed: 0 });
  });

  it('makes the same texts as long as it has the same number', async () => {
    await put(await world.add(WORLD));
    const texts = Object.entries(readTree(to, ['SHA256SUMS', '.docmirror-export.json', INDEX]));
    const spaces = texts.filter(([path]) => path.includes('/'));
    const sum = createHash('sha256').update(JSON.stringify(spaces)).digest('hex').slice(0, 16);
    // Another sum: existing exports would keep what was made before. Raise RENDERING, and write both here.
    expect({ RENDERING, sum }).toEqual({ RENDERING: 11, sum: '1121f41308a64fc4' });
  });
});
