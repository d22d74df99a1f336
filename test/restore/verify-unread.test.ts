// What of the target cannot be read when a restore is verified proves nothing: neither that something has gone, nor that it still stands.
import { expect, it } from 'vitest';
import { edit, flatten } from '../support/content.ts';
import { mirroredAnew } from '../support/in-place.ts';
import { observer } from '../support/restore.ts';

const anew = mirroredAnew();

const REFUSED = { status: 403 };

it('restore/verify does not pass while what was to go cannot be looked for: it said passed, whatever still stood there, or that it did, by what was seen before', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  await edit(world, made.guide, { type: 'insert_page', title: 'New', document: { markdown: 'New.' }, at: 0 });
  await world.api.createComment({ path: { spaceId: made.news }, body: { body: { markdown: 'New' } } });
  const { restore } = await place.apply(await place.plan({ missing: false, changed: false, added: true }));
  const unread = ['getRevision', 'listComments'] as const;
  world.platform.faults = unread.map((operation) => ({ operation, effect: REFUSED }));
  // Into a mirror that knows nothing of it, and into the one that has seen it.
  for (const observeTarget of [observer(world), undefined]) {
    const report = await place.verify(restore, observeTarget);
    const told = report.differences.map(({ kind, got }) => `${kind} ${got}`).toSorted();
    expect([report.passed, told]).toEqual([
      false,
      ['comment not read: it may still be there', 'page not read: it may still be there'],
    ]);
  }
  world.platform.faults = [];
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
});

it('restore/verify does not pass by what an earlier walk has seen of a page that cannot be read now: it said passed', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Use'] ?? '' });
  const { restore } = await place.apply(await place.plan({ changed: false }));
  // The mirror keeps what it could not read.
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
  const { pages } = await world.api.getRevision({ path: { spaceId: made.guide } });
  await edit(world, made.guide, { type: 'delete_page', page: pages.find(({ title }) => title === 'Use')?.id ?? '' });
  world.platform.faults = [{ operation: 'getRevision', effect: REFUSED }];
  expect(await place.verify(restore)).toMatchObject({
    passed: false,
    differences: [{ kind: 'page', got: 'not read' }],
  });
  world.platform.faults = [];
  expect(await place.verify(restore)).toMatchObject({
    passed: false,
    differences: [{ kind: 'page', got: 'missing' }],
  });
});

it('restore/verify passes by what it reads of a space though a list of collections failed before, which it does not ask for: it said not read, whatever was tried, until a whole walk', async () => {
  const { world, made, place } = await anew();
  await using _world = world;
  const path = { spaceId: made.guide };
  await edit(world, made.guide, { type: 'update_page', page: made.pages['Use'] ?? '', title: 'Used' });
  const plan = await place.plan({ missing: false });
  world.platform.faults = [{ operation: 'listCollections', effect: 'html' }];
  expect((await world.sync()).snapshot.state).toBe('partial');
  world.platform.faults = [];
  const { restore } = await place.apply(plan);
  expect(flatten((await world.api.getRevision({ path })).pages).map(({ title }) => title)).toContain('Use');
  expect(await place.verify(restore)).toMatchObject({ passed: true, differences: [] });
});
