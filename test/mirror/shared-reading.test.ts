// What change requests show as their spaces did, read as resources of their own: whatever their ids begin with, and no other's.
import { describe, expect, it } from 'vitest';
import { currentOf, readerAt, shareTree, type Mirror } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot, type Hand } from '../support/snapshots.ts';

const PAGES = ['-p', 'a', 'b'];

/** A change request that shows all pages of its space as they are there. */
function share(mirror: Mirror, { id, see }: Hand, place: { spaceId: string; changeRequestId: string }): void {
  const { spaceId } = place;
  see({ kind: 'space', params: { spaceId }, body: { id: spaceId, title: spaceId }, scope: null });
  see({ kind: 'change-request', params: place, body: { id: place.changeRequestId, status: 'merged' } });
  const revision = see({ kind: 'change-request-revision', params: place, body: { id: 'r' } });
  const entries = PAGES.map((pageId, position) => {
    const body = { id: pageId, type: 'document', title: pageId };
    const rid = see({ kind: 'page', params: { spaceId, pageId }, body, text: `text of ${pageId}`, position });
    const text = currentOf(mirror, 'page', `${spaceId}/${pageId}`)?.text ?? null;
    return { rid, parent: null, position, body, text, document: null, object: null, size: null };
  });
  shareTree({ mirror, id }, { revision, kind: 'change-request-page' }, { mark: 'm', entries });
}

const KIND = 'change-request-page';
const keysOf = (rows: Iterable<{ readonly key: string }>): string[] => Array.from(rows, ({ key }) => key);

describe('mirror/reading, of what is shared', () => {
  it('reads what stands in spaces whose ids begin with a dash: none of their merged change requests had a page', async () => {
    using made = await createTestMirror();
    const places = ['-s', 's', 's-2'].flatMap((spaceId) =>
      ['-c', 'c', 'c-2'].map((changeRequestId) => ({ spaceId, changeRequestId })),
    );
    takeSnapshot(made.mirror, (hand) => {
      for (const place of places) share(made.mirror, hand, place);
    });
    const keys = places
      .flatMap((one) => PAGES.map((page) => `${one.spaceId}/${one.changeRequestId}/${page}`))
      .toSorted();
    const reader = readerAt(made.mirror, 1);
    expect(keysOf(reader.resources(KIND))).toEqual(keys);
    expect(keysOf(reader.outline(KIND))).toEqual(keys);
    for (const after of keys)
      expect(keysOf(reader.outline(KIND, undefined, { after }))).toEqual(keys.filter((key) => key > after));
    for (const within of ['-s', 's', 's/c', '-s/-c']) {
      const inside = keys.filter((key) => key.startsWith(`${within}/`));
      expect([keysOf(reader.resources(KIND, within)), reader.count(KIND, within)]).toEqual([inside, inside.length]);
    }
    expect(reader.one(KIND, '-s/-c/-p')?.text).toBe('text of -p');
    expect(reader.keysOf(KIND, '-p')).toEqual(keys.filter((key) => key.endsWith('/-p')));
  });
});
