// The way back from a restore of which somebody archived the change requests of tries that were cut off before one was merged.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { edit } from '../support/content.ts';
import { mirrored, type Mirrored } from '../support/in-place.ts';

let world: Mirrored['world'];
let made: Mirrored['made'];
let place: Mirrored['place'];

const page = () => ({ spaceId: made.guide, pageId: made.pages['Use'] ?? '' });

beforeEach(async () => {
  ({ world, made, place } = await mirrored());
  const { pageId } = page();
  await edit(world, made.guide, { type: 'update_page', page: pageId, document: { markdown: 'Vandalised.' } });
  world.clock.advance(60_000);
});

afterEach(() => world[Symbol.asyncDispose]());

async function archiveTries(): Promise<void> {
  const path = { spaceId: made.guide };
  const { items } = await world.api.listChangeRequests({ path, query: { status: 'draft' } });
  for (const { id, subject } of items)
    if (subject.includes('step '))
      await world.api.updateChangeRequest({ path: { ...path, changeRequestId: id }, body: { status: 'archived' } });
}

describe('restore/undo after tries that somebody archived', () => {
  it('takes back what a later try merged: that was taken for waiting, and nothing was said to be taken back', async () => {
    const plan = await place.plan();
    world.platform.faults = [{ operation: 'mergeChangeRequest', effect: { status: 400 } }];
    const { restore } = await place.apply(plan);
    for (let tries = 0; tries < 5; tries += 1) {
      await archiveTries();
      await place.resume(restore);
    }
    await archiveTries();
    world.platform.faults = [];
    expect(await place.resume(restore)).toMatchObject({ failures: [] });
    world.clock.advance(60_000);
    const undo = await place.undo(restore, plan);
    expect(undo.steps.map(({ kind, part }) => [kind, part])).toEqual([['revision', 'pages']]);
    expect((await place.apply(undo)).failures).toEqual([]);
    const { markdown } = await world.api.getPage({ path: page(), query: { format: 'markdown' } });
    expect(markdown).toContain('Vandalised.');
  });
});
