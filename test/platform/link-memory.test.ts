import { describe, expect, it } from 'vitest';
import { createLinkMemory } from '../../src/platform/content/link-memory.ts';
import type { FoundLink } from '../../src/platform/content/links.ts';
import { at, createWorld, spaceWithPages } from './world.ts';

const NOBODY = { kind: 'user', user: 'nobody' } as const;

/** As many links, each of them in no place that matters here. */
function links(count: number): FoundLink[] {
  const holder = { id: 'content', title: 'Content' } as unknown as FoundLink['holders'][number];
  return Array.from({ length: count }, (_, i) => ({
    key: `${i}`,
    target: NOBODY,
    status: 'broken',
    holders: [holder],
  }));
}

describe('platform/content/link-memory', () => {
  it('makes the links of a revision once for all pages of their listing, and anew when anything was written', () => {
    let changes = 1;
    const made: string[] = [];
    const memory = createLinkMemory(() => changes);
    const ask = (revision: string) =>
      memory.get(revision, () => {
        made.push(revision);
        return links(2);
      });
    for (const revision of ['one', 'two', 'one', 'two']) expect(ask(revision)).toHaveLength(2);
    expect(made).toEqual(['one', 'two']);
    changes++;
    ask('one');
    expect(made).toEqual(['one', 'two', 'one']);
  });

  it('keeps few revisions, and one that has more links than may be kept alone', () => {
    const memory = createLinkMemory(() => 1, 80);
    const isKept = (revision: string): boolean => {
      let kept = true;
      memory.get(revision, () => {
        kept = false;
        return [];
      });
      return kept;
    };
    memory.get('large', () => links(100));
    expect(isKept('large')).toBe(true);
    const small = Array.from({ length: 9 }, (_, i) => `small ${i}`);
    for (const revision of small) memory.get(revision, () => []);
    expect(isKept('large')).toBe(false);
    expect(isKept('small 8')).toBe(true);
    expect(isKept('small 0')).toBe(false);
  });

  it('tells of a link that breaks because its target goes, though the revision that holds it stays', async () => {
    await using world = await createWorld();
    const there = await spaceWithPages(world, { There: 'x' });
    const here = await spaceWithPages(world, { Here: `[there](/spaces/${there.spaceId})` });
    const path = { spaceId: here.spaceId };
    const first = async () => at((await world.call('listSpaceLinks', { path })).body.items, 0);
    expect(await first()).toMatchObject({ status: 'ok', targetReference: { space: { id: there.spaceId } } });
    await world.call('updateSpace', { path: { spaceId: there.spaceId }, body: { title: 'Renamed' } });
    expect(await first()).toMatchObject({ status: 'ok', targetReference: { space: { title: 'Renamed' } } });
    await world.call('deleteSpace', { path: { spaceId: there.spaceId } });
    expect((await first()).status).toBe('broken');
  });
});
