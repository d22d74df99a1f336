// A check of an export reads a hundred thousand small files, one after the other.
import { execFileSync } from 'node:child_process';
import { createHook } from 'node:async_hooks';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkExport, exportSnapshot } from '../../src/export/index.ts';
import { givenExportPlace, type ExportPlace } from '../support/export-place.ts';

const PAGES = 300;

let place: ExportPlace;
givenExportPlace((given) => (place = given));

/** Gives the path of the first of the pages. */
async function exported(): Promise<string> {
  const pages = Array.from({ length: PAGES }, (_, nth) => ({ id: `p${nth}`, title: `Page ${nth}`, text: 'Text.' }));
  const snapshot = await place.world.add({ spaces: [{ id: 's', title: 'Space', pages }] });
  await exportSnapshot({ mirror: place.world.mirror, snapshot, to: place.to });
  return execFileSync('find', [place.to, '-name', 'page-0.md'], { encoding: 'utf8' }).trim();
}

/** How many trips to the file system that are waited for were made meanwhile. */
async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  let trips = 0;
  const hook = createHook({ init: (_, type) => (trips += Number(type.startsWith('FS'))) }).enable();
  await work();
  hook.disable();
  return trips;
}

describe('export/written/check-export', () => {
  it('waits for no trip to the file system for each small file: an export of 120,000 pages took two minutes', async () => {
    await exported();
    let problems: unknown;
    const trips = await tripsOf(async () => (problems = await checkExport(place.to)));
    expect(problems).toEqual([]);
    expect(trips).toBeLessThan(PAGES);
  });

  it('takes an export for whole whose names are not in the order of their bytes where they are compared as texts', async () => {
    const titles = ['𠮷', 'ﺍ', 'z', 'é'];
    const pages = titles.map((title, nth) => ({
      id: `p${nth}`,
      title,
      text: 'Text.',
      pages: [{ id: `q${nth}`, title }],
    }));
    const snapshot = await place.world.add({ spaces: [{ id: 's', title: 'Space', pages }] });
    await exportSnapshot({ mirror: place.world.mirror, snapshot, to: place.to });
    expect(execFileSync('find', [place.to, '-name', '*.md'], { encoding: 'utf8' })).toMatch(
      /𠮷.*\.md[^]*ﺍ.*\.md|ﺍ.*\.md[^]*𠮷.*\.md/,
    );
    expect(await checkExport(place.to)).toEqual([]);
  });

  it('names a page in whose place a pipe stands, which ends nowhere: it waited for ever', async () => {
    const page = await exported();
    rmSync(page);
    execFileSync('mkfifo', [page]);
    expect((await checkExport(place.to)).map(({ which, problem }) => [join(place.to, which), problem])).toEqual([
      [page, 'its bytes have another hash'],
    ]);
  });
});
