// An undo sets back the pages that the restore wrote, and no others.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restoreOfPlan } from '../../src/mirror/index.ts';
import { planHash } from '../../src/restore/plan/plan-file.ts';
import { type Plan } from '../../src/restore/index.ts';
import { planTree } from '../support/plan-tree.ts';
import { edit, importFiles, insert, pagesOf, type Change } from '../support/content.ts';
import { cutOnce } from '../support/cutting.ts';
import { mirroredAnew, type InPlaceChoice, type Mirrored } from '../support/in-place.ts';

const anew = mirroredAnew();

let there: Mirrored;

beforeEach(async () => {
  there = await anew();
});

afterEach(() => there.world[Symbol.asyncDispose]());

const page = (title: string): string => there.made.pages[title] ?? '';

function write(id: string, title: string, text: string): Change {
  return { type: 'update_page', page: id, document: { markdown: `# ${title}\n\n${text}` } };
}

/** What the undo of a restore would do once somebody has edited a page after it. */
async function undoneAfter(change: Change, choice: InPlaceChoice = {}): Promise<string> {
  const { world, made, place } = there;
  const plan = await place.plan(choice);
  const { restore } = await place.apply(plan);
  world.platform.faults = [];
  world.clock.advance(60_000);
  await edit(world, made.guide, change);
  return planTree(await place.undo(restore, plan)).join('\n');
}

describe('restore/undo', () => {
  it('leaves a page that was to go and stayed, since what is to stay stands below it', async () => {
    const { world, made } = there;
    await edit(world, made.guide, insert('Cover', 'New'));
    await edit(world, made.guide, insert('Extra', 'New, too'));
    const into = (await pagesOf(world, made.guide))['Cover'] ?? '';
    await edit(world, made.guide, { type: 'update_page', page: page('Use'), into });
    const edited = write(into, 'Cover', 'Written after the restore');
    const tree = await undoneAfter(edited, { added: true, changed: false });
    expect(tree).toContain('Extra');
    expect(tree).not.toContain('Cover');
  });

  it('leaves the pages of a step whose edits the target did not take', async () => {
    const { world, made } = there;
    await edit(world, made.guide, write(page('Use'), 'Use', 'Vandalised.'));
    await world.api.updateSpace({ path: { spaceId: made.guide }, body: { title: 'Vandalised' } });
    const plan = await there.place.plan();
    world.platform.faults = [{ operation: 'changeContent', effect: { status: 404 } }];
    const { restore, failures } = await there.place.apply(plan);
    world.platform.faults = [];
    expect(failures.map(({ error }) => error)).toEqual([expect.stringContaining('no operation that edits pages')]);
    await edit(world, made.guide, write(page('Use'), 'Use', 'Put right by somebody.'));
    expect(planTree(await there.place.undo(restore, plan)).join('\n')).not.toContain('page Use');
  });

  it('leaves a page that was set back and edited since, and says so', async () => {
    const { world, made } = there;
    await edit(world, made.guide, write(page('Use'), 'Use', 'Vandalised.'));
    const tree = await undoneAfter(write(page('Use'), 'Use', 'Run it, and more.'));
    expect(tree).toContain('somebody changed it after the restore');
    expect(tree).not.toContain('set back');
  });

  it('leaves a page that was set back and deleted since, and says so: it made it anew as it stood before, with what vandals wrote', async () => {
    const { world, made, place } = there;
    await edit(world, made.guide, write(page('Use'), 'Use', 'Vandalised.'));
    const plan = await place.plan();
    const { restore } = await place.apply(plan);
    await edit(world, made.guide, { type: 'delete_page', page: page('Use') });
    const { steps } = await place.undo(restore, plan);
    expect(steps.map(({ action, kind, title, note }) => [action, kind, title, note])).toEqual([
      ['unsupported', 'page', 'Use', 'it was deleted after the restore: it is left as it is'],
    ]);
  });

  it('brings back a page that the restore itself took away, and leaves a space whose name it set back and that was deleted since', async () => {
    const { world, made, place } = there;
    await edit(world, made.guide, insert('Extra', 'New'));
    await world.api.updateSpace({ path: { spaceId: made.news }, body: { title: 'Other news' } });
    const plan = await place.plan({ added: true });
    const { restore } = await place.apply(plan);
    await world.api.deleteSpace({ path: { spaceId: made.news } });
    const tree = planTree(await place.undo(restore, plan)).join('\n');
    expect(tree).toContain('+ page Extra');
    expect(tree).toContain('! space Other news  (it was deleted after the restore: it is left as it is)');
    expect(tree).not.toContain('undelete');
  });

  it('leaves a page that was brought back and edited since, and says so', async () => {
    const { world, made, place } = there;
    await edit(world, made.guide, { type: 'delete_page', page: page('Linux') });
    const plan = await place.plan();
    const { restore } = await place.apply(plan);
    const linux = (await pagesOf(world, made.guide))['Linux'] ?? '';
    world.clock.advance(60_000);
    await edit(world, made.guide, write(linux, 'Linux', 'Use the archive, and more.'));
    const { steps } = await place.undo(restore, plan);
    expect(steps.map(({ kind, action, title }) => [kind, action, title])).toEqual([['page', 'unsupported', 'Linux']]);
  });

  it('sets back what nobody edited since', async () => {
    const { world, made } = there;
    await edit(world, made.guide, write(page('Use'), 'Use', 'Vandalised.'), {
      type: 'delete_page',
      page: page('Linux'),
    });
    const tree = await undoneAfter(write(page('Home'), 'Home', 'Something else.'));
    expect(tree).toContain('1 page set back, 1 page taken away');
  });
});

async function killedOnceMerged(plan: Plan): Promise<string> {
  const { world, place } = there;
  const client = cutOnce(world.client, { cut: 'killed', of: 'mergeChangeRequest', nth: 0, sent: true });
  await expect(place.apply(plan, { client })).rejects.toThrow('killed');
  return restoreOfPlan(world.mirror, planHash(plan))?.id ?? '';
}

/** A restore that was cut off once its pages were merged, before it could note that; somebody edits since. */
async function cutOffOnceMerged(...changes: Change[]): Promise<{ restore: string; plan: Plan }> {
  const { world, made, place } = there;
  await edit(world, made.guide, write(page('Use'), 'Use', 'Vandalised.'), { type: 'delete_page', page: page('Linux') });
  const plan = await place.plan();
  const restore = await killedOnceMerged(plan);
  world.clock.advance(60_000);
  await edit(world, made.guide, ...changes);
  return { restore, plan };
}

describe('restore/undo of a restore that was cut off once its pages were merged', () => {
  it.each([true, false])('leaves what somebody wrote since, and says so (resumed first: %s)', async (isResumed) => {
    const { world, made, place } = there;
    const use = write(page('Use'), 'Use', 'Run it, and more.');
    const home = write(page('Home'), 'Home', 'By somebody.');
    const { restore, plan } = await cutOffOnceMerged(use, home, insert('Notes', 'By somebody.'));
    if (isResumed) expect((await place.resume(restore)).failed).toBe(0);
    const back = await place.undo(restore, plan);
    const tree = planTree(back).join('\n');
    expect(tree).toContain('somebody changed it after the restore');
    expect(tree).toContain('1 page taken away');
    expect(tree).not.toContain('Home');
    await place.apply(back);
    const pages = await pagesOf(world, made.guide);
    expect(Object.keys(pages).toSorted()).toEqual(['Home', 'Install', 'Notes', 'Use']);
    const path = { spaceId: made.guide, pageId: page('Use') };
    const { markdown } = await world.api.getPage({ path, query: { format: 'markdown' } });
    expect(markdown).toContain('Run it, and more.');
  });

  it.each([true, false])('takes back an order that nobody has changed since (resumed first: %s)', async (isResumed) => {
    const { world, made, place } = there;
    await edit(world, made.guide, { type: 'update_page', page: page('Use'), into: null, at: 0 });
    const order = Object.keys(await pagesOf(world, made.guide));
    const plan = await place.plan();
    const restore = await killedOnceMerged(plan);
    expect(Object.keys(await pagesOf(world, made.guide))).not.toEqual(order);
    world.clock.advance(60_000);
    if (isResumed) expect((await place.resume(restore)).failed).toBe(0);
    const back = await place.undo(restore, plan);
    expect(planTree(back).join('\n')).not.toContain('somebody changed it');
    await place.apply(back);
    expect(Object.keys(await pagesOf(world, made.guide))).toEqual(order);
  });

  it.each([true, false])(
    'takes back a file that was set back, and none of others (resumed first: %s)',
    async (isResumed) => {
      const { world, made, place } = there;
      const sizes = async (): Promise<(number | undefined)[]> => {
        const { files } = await world.api.getRevision({ path: { spaceId: made.guide } });
        return ['notes.txt', 'logo.png'].map((end) => files.find(({ name }) => name.endsWith(end))?.size);
      };
      await importFiles(world, made.guide, {
        'notes.md': '# Notes\n\n[Notes](assets/notes.txt)\n',
        'assets/notes.txt': '?',
      });
      const [before] = await sizes();
      const plan = await place.plan();
      const restore = await killedOnceMerged(plan);
      expect((await sizes())[0]).not.toBe(before);
      if (isResumed) expect((await place.resume(restore)).failed).toBe(0);
      await importFiles(world, made.guide, {
        'logo.md': '# Logo\n\n![Logo](assets/logo.png)\n',
        'assets/logo.png': 'Drawn by somebody.',
      });
      const [, drawn] = await sizes();
      await place.apply(await place.undo(restore, plan));
      expect(await sizes()).toEqual([before, drawn]);
    },
  );

  it('takes back nothing of a space whose pages were never merged', async () => {
    const { world, made, place } = there;
    await edit(world, made.guide, write(page('Use'), 'Use', 'Vandalised.'));
    const plan = await place.plan();
    world.platform.faults = [{ operation: 'mergeChangeRequest', effect: 'cut-before' }];
    const { restore } = await place.apply(plan);
    world.platform.faults = [];
    await edit(world, made.guide, insert('Notes', 'By somebody.'), write(page('Use'), 'Use', 'By somebody.'));
    // What it had gathered goes with its change request.
    const undo = await place.undo(restore, plan);
    expect(undo.steps.map(({ kind, part }) => [kind, part])).toEqual([['change-request', 'remove']]);
    expect((await place.apply(undo)).failures).toEqual([]);
    const { items } = await world.api.listChangeRequests({ path: { spaceId: made.guide }, query: { status: 'draft' } });
    expect(items.map(({ subject }) => subject)).toEqual(['Work in progress']);
  });

  it.each([false, true])(
    'leaves what people wrote since into a space of which it left a change request: all was set back (merged: %s)',
    async (isMerged) => {
      const { world, made, place } = there;
      await edit(world, made.guide, write(page('Use'), 'Use', 'Vandalised.'), {
        type: 'delete_page',
        page: page('Linux'),
      });
      const plan = await place.plan({ review: true });
      const client = cutOnce(world.client, { cut: 'killed', of: 'changeContent', nth: 0, sent: true });
      await expect(place.apply(plan, { client })).rejects.toThrow('killed');
      const restore = restoreOfPlan(world.mirror, planHash(plan))?.id ?? '';
      world.clock.advance(60_000);
      const path = { spaceId: made.guide };
      const [waiting] = (await world.api.listChangeRequests({ path, query: { status: 'draft' } })).items;
      if (isMerged) await world.api.mergeChangeRequest({ path: { ...path, changeRequestId: waiting?.id ?? '' } });
      await edit(world, made.guide, write(page('Home'), 'Home', 'By somebody.'), insert('Notes', 'By somebody.'));
      const { steps } = await place.undo(restore, plan).catch(() => ({ steps: [] }));
      const pages = steps.flatMap((step) => [...(step.pages?.changed ?? []), ...(step.pages?.added ?? [])]);
      expect(pages.map(({ title }) => title)).toEqual(isMerged ? ['Use', 'Linux'] : []);
      expect(steps.map(({ kind }) => kind)).toEqual([isMerged ? 'revision' : 'change-request']);
    },
  );

  it('turns no links of pages that the restore did not write to what another restore has made anew since', async () => {
    const { world, made, place } = there;
    await edit(world, made.guide, write(page('Use'), 'Use', 'Vandalised.'));
    const plan = await place.plan();
    const { restore } = await place.apply(plan);
    world.clock.advance(60_000);
    await edit(world, made.guide, { type: 'delete_page', page: page('Install') });
    await place.apply(await place.plan({ scope: `page:${page('Install')}`, changed: false }));
    const back = await place.undo(restore, plan);
    expect(back.steps.map(({ title, part }) => [title, part])).toEqual([['Guide', 'pages']]);
  });
});
