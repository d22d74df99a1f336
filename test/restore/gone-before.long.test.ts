// Whoever plans from the newest snapshot the morning after a disaster, which that snapshot has recorded, is told which one to take.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellWord } from '../../src/base/index.ts';
import { demandAsked, type Plan } from '../../src/restore/index.ts';
import { addSpace, edit, insert } from '../support/content.ts';
import { mirroredAnew, type InPlaceChoice, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

const NIGHT = 86_400_000;

let there: Mirrored;

beforeEach(async () => {
  there = await anew();
});

afterEach(() => there.world[Symbol.asyncDispose]());

/** The nightly walk; the number of its snapshot. */
async function night(): Promise<number> {
  there.world.clock.advance(NIGHT);
  return (await there.world.sync()).snapshot.id;
}

async function disaster(): Promise<void> {
  await there.world.api.deleteSpace({ path: { spaceId: there.made.guide } });
}

function saidIn({ preflight }: Plan): string[] {
  return preflight.filter(({ check }) => check === 'gone before').map(({ state, detail }) => `${state} ${detail}`);
}

async function said(choice: InPlaceChoice): Promise<string[]> {
  return saidIn(await there.place.plan(choice));
}

describe('restore/in-place from the newest snapshot', () => {
  it('says that this one has recorded the disaster, what went, and which one had it: there was nothing to do', async () => {
    await disaster();
    const snapshot = await night();
    const plan = await there.place.plan({ snapshot });
    expect(plan.steps.every(({ part }) => part === 'none')).toBe(true);
    const [line, ...more] = saidIn(plan);
    expect(more).toEqual([]);
    expect(line).toMatch(/^warn snapshot 2 \(.* UTC\) recorded as gone: 1 space, 4 pages, .*space Guide, page Home/);
    expect(line).toMatch(
      /Snapshot 1 \(.* UTC\) was the last that had them: `docmirror restore plan --snapshot 1 --in-place --out /,
    );
  });

  it('says it though nights have passed since', async () => {
    await disaster();
    await night();
    await night();
    const [line] = await said({ snapshot: await night() });
    expect(line).toContain('snapshot 2 (');
    expect(line).toContain('--snapshot 1 ');
  });

  it('says it though there is something else to do', async () => {
    await disaster();
    const snapshot = await night();
    await there.world.api.updateSpace({ path: { spaceId: there.made.news }, body: { title: 'Other' } });
    const plan = await there.place.plan({ snapshot });
    expect(plan.steps.some(({ part }) => part !== 'none')).toBe(true);
    expect(saidIn(plan)).toHaveLength(1);
  });

  it('repeats the options of the plan in the command', async () => {
    await disaster();
    const snapshot = await night();
    const organization = `organization:${there.world.organization}`;
    const [line] = await said({ snapshot, scope: organization, changed: false, added: true });
    expect(line).toContain(`--snapshot 1 --scope ${organization} --in-place missing --delete --out`);
    const where = "title <> 'Use'";
    const [chosen] = await said({ snapshot: await night(), where, review: true });
    expect(chosen).toContain(`--snapshot 1 --where ${shellWord(where)} --in-place --review --out`);
  });

  it('says nothing of what is not in its scope, of what has come back, nor of an earlier snapshot', async () => {
    await disaster();
    const snapshot = await night();
    expect(await said({ snapshot, scope: `space:${there.made.news}` })).toEqual([]);
    expect(await said({ snapshot: 1 })).toEqual([]);
    const { restore } = await there.place.apply(await there.place.plan({ snapshot: 1 }));
    expect(restore).not.toBe('');
    const newest = await night();
    expect(await said({ snapshot: newest })).toEqual([]);
  });

  it('says nothing when nothing went', async () => {
    await edit(there.world, there.made.guide, insert('More', 'New.'));
    expect(await said({ snapshot: await night() })).toEqual([]);
  });
});

it('restore/in-place names the snapshot that had what the newest has not: the hint led into the newest', async () => {
  await disaster();
  await night();
  const snapshot = await night();
  const asked = { mirror: there.world.mirror, snapshot, scope: `space:${there.made.guide}`, where: null };
  expect(() => demandAsked(asked)).toThrow(
    expect.objectContaining({
      code: 'DM_USAGE',
      hint: expect.stringMatching(/^Snapshot 1 \(.*plan with --snapshot 1\.$/),
    }),
  );
  expect(() => demandAsked({ ...asked, scope: 'space:never' })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('docmirror query') }),
  );
});

it('restore/in-place says nothing of what an earlier restore has brought back under another id', async () => {
  const { world, made, place } = there;
  await edit(world, made.guide, { type: 'delete_page', page: made.pages['Use'] ?? '' });
  const snapshot = await night();
  expect((await said({ snapshot }))[0]).toContain('page Use');
  await place.apply(await place.plan({ snapshot: 1 }));
  expect(await said({ snapshot })).toEqual([]);
});

it('restore/in-place of what no earlier snapshot has is planned', async () => {
  const { world, place } = there;
  const scope = `space:${await addSpace(world, 'Later')}`;
  const snapshot = await night();
  const plan = await place.plan({ snapshot, scope });
  expect([plan.steps, saidIn(plan)]).toEqual([[], []]);
});
