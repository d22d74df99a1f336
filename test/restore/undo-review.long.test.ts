// The way back from a restore whose change request waits for people to merge it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/restore/index.ts';
import { edit, pagesOf } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

let world: Mirrored['world'];
let made: Mirrored['made'];
let place: Mirrored['place'];
let plan: Plan;
let restore: string;

/** Of the page that the restore sets back. */
const write = (markdown: string) =>
  ({ type: 'update_page', page: made.pages['Use'] ?? '', document: { markdown } }) as const;

beforeEach(async () => {
  ({ world, made, place } = await anew());
  await edit(world, made.guide, write('Vandalised.'));
  world.clock.advance(60_000);
  plan = await place.plan({ review: true });
  const { restore: id, failures } = await place.apply(plan);
  expect(failures).toEqual([]);
  restore = id;
  world.clock.advance(60_000);
});

afterEach(() => world[Symbol.asyncDispose]());

/** The change request of the restore. */
async function request() {
  const path = { spaceId: made.guide };
  const all = [];
  for (const status of ['draft', 'archived', 'merged'] as const)
    all.push(...(await world.api.listChangeRequests({ path, query: { status } })).items);
  const found = all.find(({ subject }) => subject.includes(restore));
  if (found === undefined) throw new Error('the restore has left no change request');
  return found;
}

async function editRequest(): Promise<void> {
  const path = { spaceId: made.guide, changeRequestId: (await request()).id };
  await world.api.changeContent({ path, body: { changes: [write('By somebody.')] } });
}

const linesOf = ({ steps }: Plan) => steps.map(({ action, kind, note }) => `${action} ${kind}: ${note}`);

describe('restore/undo of a restore for review', () => {
  it('archives the change request that nobody has merged, once: it was left there, and nothing was said to be taken back', async () => {
    const undo = await place.undo(restore, plan);
    expect(linesOf(undo)).toEqual([
      `delete change-request: made or brought back by restore ${restore}: archived, since no operation deletes it`,
    ]);
    world.platform.faults = [{ operation: 'updateChangeRequest', nth: 1, effect: 'cut-after' }];
    place.clear();
    const back = await place.apply(undo);
    world.platform.faults = [];
    expect(back).toMatchObject({ done: 1, failed: 0, failures: [] });
    expect(place.writes()).toEqual({ updateChangeRequest: 1 });
    expect((await request()).status).toBe('archived');
    expect(await place.verify(back.restore)).toMatchObject({ passed: true });
  });

  it('leaves and names one that somebody has edited since', async () => {
    await editRequest();
    expect(linesOf(await place.undo(restore, plan))).toEqual([
      'unsupported change-request: somebody changed it after the restore: it is left as it is',
    ]);
  });

  it('leaves and names one that somebody has given another subject since: it was not known again, and its pages were taken for live', async () => {
    const path = { spaceId: made.guide, changeRequestId: (await request()).id };
    await world.api.updateChangeRequest({ path, body: { subject: 'Ours now' } });
    await edit(world, made.guide, write('By somebody.'));
    expect(linesOf(await place.undo(restore, plan))).toEqual([
      'unsupported change-request: somebody changed it after the restore: it is left as it is',
    ]);
  });

  it('takes back what was merged in one space, and archives what waits in another', async () => {
    const path = { spaceId: made.guide, changeRequestId: (await request()).id };
    await world.api.mergeChangeRequest({ path });
    const { First: page = '' } = await pagesOf(world, made.news);
    for (const title of ['One', 'Two']) await edit(world, made.news, { type: 'update_page', page, title });
    await edit(world, made.guide, write('Vandalised again.'));
    const both = await place.plan({ review: true });
    const { restore: second } = await place.apply(both);
    const guide = { spaceId: made.guide };
    const [waiting] = (await world.api.listChangeRequests({ path: guide, query: { status: 'draft' } })).items.filter(
      ({ subject }) => subject.includes(second),
    );
    await world.api.mergeChangeRequest({ path: { ...guide, changeRequestId: waiting?.id ?? '' } });
    const { steps } = await place.undo(second, both);
    expect(steps.map(({ kind, key }) => [kind, key.split('/', 1)[0]])).toEqual([
      ['revision', made.guide],
      ['change-request', made.news],
    ]);
  });

  it('leaves one that somebody edits once the undo is planned: it was archived with what they wrote', async () => {
    const undo = await place.undo(restore, plan);
    await editRequest();
    await expect(place.apply(undo)).rejects.toMatchObject({ code: 'DM_PLAN_STALE' });
    expect((await request()).status).toBe('draft');
  });

  it('touches and names no page of which nothing went live, whatever people have written there since', async () => {
    await edit(world, made.guide, write('By somebody.'));
    expect((await place.undo(restore, plan)).steps.map(({ kind }) => kind)).toEqual(['change-request']);
  });

  it('has nothing to take back where somebody has archived it', async () => {
    const path = { spaceId: made.guide, changeRequestId: (await request()).id };
    await world.api.updateChangeRequest({ path, body: { status: 'archived' } });
    await expect(place.undo(restore, plan)).rejects.toMatchObject({ code: 'DM_RESTORE_FAILED' });
  });

  it('takes back what was merged', async () => {
    const path = { spaceId: made.guide, changeRequestId: (await request()).id };
    await world.api.mergeChangeRequest({ path });
    const undo = await place.undo(restore, plan);
    expect(undo.steps.map(({ kind, part }) => [kind, part])).toEqual([['revision', 'pages']]);
    expect((await place.apply(undo)).failures).toEqual([]);
    const { markdown } = await world.api.getPage({
      path: { spaceId: made.guide, pageId: made.pages['Use'] ?? '' },
      query: { format: 'markdown' },
    });
    expect(markdown).toContain('Vandalised.');
  });
});
