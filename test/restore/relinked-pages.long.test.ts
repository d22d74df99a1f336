// A page that is brought back has a new id: the pages whose links lead there are written too, and the plan says which.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Plan } from '../../src/restore/index.ts';
import { planTree } from '../support/plan-tree.ts';
import { edit, pagesOf } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

let world: Mirrored['world'];
let made: Mirrored['made'];
let place: Mirrored['place'];

beforeEach(async () => {
  ({ world, made, place } = await anew());
});

afterEach(() => world[Symbol.asyncDispose]());

function page(title: string): string {
  return made.pages[title] ?? '';
}

/** Pages that the plan names, by step and by what becomes of them. */
function named(plan: Plan): unknown {
  const titles = (list: readonly { title: string }[]): string[] => list.map(({ title }) => title).toSorted();
  const written = plan.steps.filter(({ pages }) => pages !== undefined);
  return written.map(({ title, pages }) => {
    const { missing = [], changed = [], links = [] } = pages ?? {};
    return [title, { missing: titles(missing), changed: titles(changed), links: titles(links) }];
  });
}

async function textOf(space: string, title: string): Promise<string> {
  const pageId = (await pagesOf(world, space))[title] ?? '';
  const { markdown } = await world.api.getPage({ path: { spaceId: space, pageId }, query: { format: 'markdown' } });
  return markdown ?? '';
}

describe('restore/in-place, links to what is brought back', () => {
  it('names the pages that it writes only for their links, and counts them as no change of content', async () => {
    await edit(world, made.guide, { type: 'delete_page', page: page('Install') });
    const plan = await place.plan({ changed: false, scope: `page:${page('Install')}` });
    expect(named(plan)).toEqual([['Guide', { missing: ['Install'], changed: [], links: ['Home'] }]]);
    expect(plan.steps[0]?.note).toContain('1 page brought back, links of 1 page,');
    expect(planTree(plan)).toContain('    ~ page Home  (links)');
    const before = await textOf(made.guide, 'Use');
    await place.apply(plan);
    expect(await textOf(made.guide, 'Home')).toContain((await pagesOf(world, made.guide))['Install']);
    expect(await textOf(made.guide, 'Use')).toBe(before);
  });

  it('turns the links of another space, too, when everything is mended', async () => {
    await edit(world, made.guide, { type: 'delete_page', page: page('Install') });
    const plan = await place.plan();
    expect(named(plan)).toEqual([
      ['Guide', { missing: ['Install', 'Linux'], changed: [], links: ['Home'] }],
      ['News', { missing: [], changed: [], links: ['First'] }],
    ]);
    const { failures } = await place.apply(plan);
    expect(failures).toEqual([]);
    const anew = (await pagesOf(world, made.guide))['Install'] ?? '';
    expect(await textOf(made.news, 'First')).toContain(`/spaces/${made.guide}/pages/${anew}`);
    expect(named(await place.plan())).toEqual([]);
  });

  it('turns the links of a page of which only the description is set back; of one whose text is set back it says that only', async () => {
    const home = { type: 'update_page', page: page('Home') } as const;
    await edit(world, made.guide, { type: 'delete_page', page: page('Install') }, { ...home, description: 'Spam.' });
    const plan = await place.plan({ scope: `space:${made.guide}` });
    expect(named(plan)).toEqual([['Guide', { missing: ['Install', 'Linux'], changed: ['Home'], links: ['Home'] }]]);
    await place.apply(plan);
    expect(await textOf(made.guide, 'Home')).toContain((await pagesOf(world, made.guide))['Install']);
    const anew = (await pagesOf(world, made.guide))['Install'] ?? '';
    const markdown = `# Home\n\nBad, see [it](/pages/${anew}).`;
    await edit(world, made.guide, { type: 'delete_page', page: anew });
    await edit(world, made.guide, { ...home, document: { markdown } });
    expect(named(await place.plan({ scope: `space:${made.guide}` }))).toMatchObject([
      ['Guide', { changed: ['Home'], links: [] }],
    ]);
  });
});

describe('restore/verify, pages that were written only for their links', () => {
  it('tells of one whose link leads to what is gone, and of one that is gone; it passed', async () => {
    await edit(world, made.guide, { type: 'delete_page', page: page('Install') });
    const { restore, failures } = await place.apply(await place.plan());
    expect(failures).toEqual([]);
    const whole = await place.verify(restore);
    expect([whole.passed, whole.differences]).toEqual([true, []]);
    const home = page('Home');
    const markdown = `# Home\n\nBegin with [Install](/pages/${page('Install')}).`;
    await edit(world, made.guide, { type: 'update_page', page: home, document: { markdown } });
    const first = (await pagesOf(world, made.news))['First'] ?? '';
    await edit(world, made.news, { type: 'delete_page', page: first });
    const { passed, differences } = await place.verify(restore);
    expect(passed).toBe(false);
    expect(differences.map(({ key, field, got }) => [key, field, got])).toEqual([
      [`${made.guide}/${home}`, 'links', 'links to what it stands for'],
      [`${made.news}/${first}`, '*', 'missing'],
    ]);
  });

  it('tells once of a page that two steps were to write: for what comes back to its space, and to another', async () => {
    const first = (await pagesOf(world, made.news))['First'] ?? '';
    const home = page('Home');
    const markdown = `See [Install](/pages/${page('Install')}) and [First](/spaces/${made.news}/pages/${first}).`;
    await edit(world, made.guide, { type: 'update_page', page: home, document: { markdown } });
    const { snapshot } = await world.sync();
    await edit(world, made.guide, { type: 'delete_page', page: page('Install') });
    await edit(world, made.news, { type: 'delete_page', page: first });
    const plan = await place.plan({ snapshot: snapshot.id });
    expect(plan.steps.filter(({ pages }) => pages?.links?.some(({ id }) => id === home))).toHaveLength(2);
    const { restore } = await place.apply(plan);
    await edit(world, made.guide, { type: 'delete_page', page: home });
    const { differences } = await place.verify(restore);
    expect(differences.filter(({ key }) => key.endsWith(home))).toHaveLength(1);
  });

  it('takes for turned what stands in a change request that waits, and whatever else somebody wrote there', async () => {
    await edit(world, made.guide, { type: 'delete_page', page: page('Install') });
    const { restore } = await place.apply(await place.plan({ review: true }));
    const waiting = await place.verify(restore);
    expect(waiting.differences.filter((one) => one.class === 'exact')).toEqual([]);
    expect([waiting.passed, waiting.waiting > 0]).toEqual([true, true]);
  });
});

describe('restore/in-place, what a plan shows of a page', () => {
  it('shows short fields with their value before and after, and names a text only', async () => {
    await edit(world, made.guide, {
      type: 'update_page',
      page: page('Linux'),
      title: 'Lunix',
      description: 'Spam.',
      into: null,
      document: { markdown: '# Lunix\n\nVandalised.' },
    });
    const plan = await place.plan();
    expect(planTree(plan).slice(1)).toEqual([
      '    ~ page Linux  (title, description, text, parent)',
      '        title: "Lunix" -> "Linux"',
      '        description: "Spam." -> none',
      '        parent: none -> "Install"',
    ]);
    await place.apply(plan);
    expect((await place.plan()).steps).toEqual([]);
  });
});
