// Titles that a table of contents cannot hold: empty, of several lines, with space around them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addRequest, addSpace, edit, flatten, insert, pagesOf } from '../support/content.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { createTarget, type Target } from '../support/restore.ts';
import { worldAnew } from '../support/copied-world.ts';
import type { TestWorld } from '../support/world.ts';

const TITLES = ['', '  ', ' Before', 'After ', 'Two\nlines', '\n', 'Half\u2028way', 'Tab\tbed', 'No\u00a0break\u00a0'];
const NOTE =
  '9 titles that an import does not keep (empty, of several lines, or with space around), by a change request that is merged at once';

let world: TestWorld;
let space: string;
let ids: readonly string[];

const anew = worldAnew(async (one) => {
  const odd = await addSpace(one, ' Odd ');
  const elsewhere = await addSpace(one, 'Elsewhere');
  await edit(one, elsewhere, insert('There', 'It is there.'));
  const { There: there = '' } = await pagesOf(one, elsewhere);
  const text = `See [there](/spaces/${elsewhere}/pages/${there}) and [it](./p0).\n\n# Below\n\nMore.`;
  const pages = TITLES.map((_, i) => insert(`Page ${i}`, `# Page ${i}\n\n${text}`, { ref: `p${i}` }));
  await edit(one, odd, ...pages, insert('Plain', 'No more than that.'));
  const made = await pagesOf(one, odd);
  const titled = TITLES.map((title, i) => ({ id: made[`Page ${i}`] ?? '', title }));
  await edit(one, odd, ...titled.map(({ id, title }) => ({ type: 'update_page', page: id, title }) as const));
  await addRequest(one, odd, { subject: ' Sub\nject ', changes: [insert('New', '# Proposed\n\nNew.')] });
  await one.sync();
  return { space: odd, ids: titled.map(({ id }) => id) };
});

beforeEach(async () => {
  ({ world, space, ids } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

async function titlesIn(api: TestWorld['api'], spaceId: string): Promise<string[]> {
  const { pages } = await api.getRevision({ path: { spaceId } });
  return flatten(pages).map(({ title }) => title);
}

async function expectWhole(report: Awaited<ReturnType<Target['verify']>>): Promise<void> {
  expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect([report.passed, report.brokenLinks.after]).toEqual([true, report.brokenLinks.before]);
}

describe('restore/steps/not-imported', () => {
  it('come back exactly with their texts where an import does not keep them, and the plan says how', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    expect(plan.steps.filter(({ part }) => part === 'name').map(({ title, note }) => [title, note])).toEqual([
      [' Odd ', NOTE],
    ]);
    const applied = await target.apply(plan);
    expect(applied.failures).toEqual([]);
    await expectWhole(await target.verify(applied.restore));
  });

  it.each(['lost', 'killed'] as const)('come back though every write is %s, with one change request', async (cut) => {
    await using target = await createTarget(world);
    const { restore, result, after } = await target.endure(await target.plan(), cut);
    expect(result.failures).toEqual([]);
    expect(after).toContain('mergeChangeRequest');
    await expectWhole(await target.verify(restore));
    const { items } = await target.client.api.listMemberSpaces({
      path: { organizationId: target.organization, userId: target.platform.owner },
    });
    const spaceId = items.find(({ space: one }) => one.title === ' Odd ')?.space.id ?? '';
    const merged = await target.client.api.listChangeRequests({ path: { spaceId }, query: { status: 'merged' } });
    expect(merged.items.filter(({ subject }) => subject.startsWith('Restore of snapshot'))).toHaveLength(1);
  });

  it('come back in the change request of a restore for review', async () => {
    await using target = await createTarget(world);
    const applied = await target.apply(await target.plan({ review: true }));
    expect(applied.failures).toEqual([]);
    await expectWhole(await target.verify(applied.restore));
  });

  it('are said to be as the import made them where the target edits no pages', async () => {
    await using target = await createTarget(world);
    target.platform.faults = [{ operation: 'changeContent', effect: { status: 501 } }];
    const applied = await target.apply(await target.plan());
    expect(applied.failures.map(({ error }) => error)).toContainEqual(
      expect.stringContaining('no operation that edits pages'),
    );
    expect((await target.verify(applied.restore)).passed).toBe(false);
  });
});

describe('restore/steps/kept-titles', () => {
  let place: InPlace;

  beforeEach(() => {
    place = inPlace(world);
  });

  it('come back in place with the pages that were gone', async () => {
    await edit(world, space, ...ids.map((page) => ({ type: 'delete_page', page }) as const));
    const plan = await place.plan();
    const { restore, failures } = await place.apply(plan);
    expect(failures).toEqual([]);
    expect(await titlesIn(world.api, space)).toEqual([...TITLES, 'Plain']);
    await expectWhole(await place.verify(restore));
    expect((await place.plan()).steps).toEqual([]);
  });

  it('stay in place above a page that comes back, and where a text is set back', async () => {
    const below = ids.map((id, i) => insert(`Below ${i}`, 'Deep.', { into: id }));
    await edit(world, space, ...below);
    await world.sync();
    const made = await pagesOf(world, space);
    const [texts, parents] = [ids.slice(0, 4), ids.slice(4)];
    await edit(
      world,
      space,
      ...texts.map((page) => ({ type: 'update_page', page, document: { markdown: '# Bad\n\nBad.' } }) as const),
      ...parents.map((_, i) => ({ type: 'delete_page', page: made[`Below ${i + 4}`] ?? '' }) as const),
    );
    const before = new Set(await titlesIn(world.api, space));
    expect([...before]).toEqual(expect.arrayContaining(TITLES.slice(4)));
    const { restore, failures } = await place.apply(await place.plan({ snapshot: 2 }));
    expect(failures).toEqual([]);
    await expectWhole(await place.verify(restore));
    expect((await place.plan({ snapshot: 2 })).steps.map(({ note }) => note)).toEqual([]);
    const titles = await titlesIn(world.api, space);
    expect(titles.filter((title) => !title.startsWith('Below'))).toEqual([...TITLES, 'Plain']);
  });
});

it('restore/drill brings a description back with the space around it: the import of the embedded platform took that away', async () => {
  const { Plain = '' } = await pagesOf(world, space);
  await edit(world, space, { type: 'update_page', page: Plain, description: ' with space. ' });
  const { snapshot } = await world.sync();
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan({ snapshot: snapshot.id }));
  expect(failures).toEqual([]);
  await expectWhole(await target.verify(restore));
});
