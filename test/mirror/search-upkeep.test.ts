import { describe, expect, it } from 'vitest';
import { atOnce, inTurns, seededRandom, toAppError } from '../../src/base/index.ts';
import { lastSealed, openSnapshot, sealSnapshot, type Mirror, type Snapshot } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { fill, NO_BRAKE, page, takeSnapshot } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

const PAGES = 400;
const random = seededRandom(5);
const words = (): string => Array.from({ length: 60 }, () => random.id(7)).join(' ');

function editAll(mirror: Mirror, id: number): void {
  fill(mirror, id, ({ see }) => {
    for (let number = 0; number < PAGES; number++) see(page(`p${number}`, words()));
  });
}

/** Seals a night in which every page was edited; from its last instant on, the file cannot grow. */
function sealOnFullDisk(mirror: Mirror): { sealed: Snapshot; told: string[] } {
  const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
  editAll(mirror, id);
  const told: string[] = [];
  const { driver } = mirror.store;
  const usedSince = () => {
    driver.pragma('incremental_vacuum');
    driver.pragma(`max_page_count = ${Number(driver.pragma('page_count', { simple: true }))}`);
    return { requests: 0, bytes: 0, durationMs: 0 };
  };
  const onUnmerged = (error: unknown) => void told.push(toAppError(error).code);
  const sealed = atOnce(sealSnapshot({ mirror, id }, NO_BRAKE, { usedSince, onUnmerged }));
  driver.pragma('max_page_count = 1000000000');
  return { sealed, told };
}

const pending = (mirror: Mirror) =>
  rowsOf(mirror, `select value from meta where name = 'search_pending'`)[0]?.['value'];

describe('mirror/search/search-upkeep', () => {
  it('leaves a snapshot sealed when the disk is full behind it, says so, and merges with the next one', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    for (const _night of [1, 2]) takeSnapshot(mirror, ({ id }) => editAll(mirror, id));
    const { sealed, told } = sealOnFullDisk(mirror);
    expect([sealed.state, lastSealed(mirror)?.id, told]).toEqual(['complete', 3, ['DM_DISK_FULL']]);
    expect(pending(mirror)).toBe(String(PAGES));
    takeSnapshot(mirror, () => undefined);
    expect(pending(mirror)).toBe('0');
  });

  it('says nothing of a merge that was called off, as by SIGTERM: it was logged as a warning', async () => {
    using made = await createTestMirror();
    const { mirror } = made;
    for (const _night of [1, 2]) takeSnapshot(mirror, ({ id }) => editAll(mirror, id));
    const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
    editAll(mirror, id);
    const told: unknown[] = [];
    const calledOff = new AbortController();
    const usedSince = () => {
      calledOff.abort();
      return { requests: 0, bytes: 0, durationMs: 0 };
    };
    const sealing = sealSnapshot({ mirror, id }, NO_BRAKE, { usedSince, onUnmerged: (error) => told.push(error) });
    expect((await inTurns(sealing, calledOff.signal)).state).toBe('complete');
    expect([pending(mirror), told]).toEqual([String(PAGES), []]);
  });
});
