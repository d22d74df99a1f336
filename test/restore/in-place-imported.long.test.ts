// What an import wrote over: it makes another type of a page, and gives a file other bytes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planTree } from '../support/plan-tree.ts';
import { edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';
import { wordsOf } from '../support/standing.ts';

const anew = mirroredAnew();

let there: Mirrored;

beforeEach(async () => {
  there = await anew();
});

afterEach(() => there.world[Symbol.asyncDispose]());

async function words(): Promise<string[]> {
  const { world } = there;
  return wordsOf(world.mirror, (await world.sync()).snapshot.id);
}

describe('restore/in-place, what an import wrote over', () => {
  it('mends the other pages of a space of which a document is a link now, and says of that one that it stays one', async () => {
    const { world, made, place } = there;
    await importFiles(world, made.guide, { 'SUMMARY.md': '* [Use](https://example.com/use)\n' });
    await edit(world, made.guide, { type: 'update_page', page: made.pages['Linux'] ?? '', title: 'Lunix' });
    const plan = await place.plan();
    expect(planTree(plan)).toContain(
      '! page Use  (is a link now, and no operation makes a document of it again, so its text does not come back)',
    );
    const { failures } = await place.apply(plan);
    expect(failures).toEqual([]);
    expect(await words()).toContainEqual(expect.stringContaining('page install/linux document "Linux"'));
  });

  it('gives a file the bytes back that it had', async () => {
    const { world, made, place } = there;
    const before = wordsOf(world.mirror, 1);
    await importFiles(world, made.guide, {
      'dog.md': '# Dog\n\nSee the [notes](notes.txt).\n',
      'notes.txt': 'Vandalised.',
    });
    expect(await words()).not.toEqual(before);
    const plan = await place.plan({ added: true });
    expect(planTree(plan)).toContain('    ~ file notes.txt  (content)');
    const { failures, restore } = await place.apply(plan);
    expect(failures).toEqual([]);
    expect(await words()).toEqual(before);
    expect((await place.plan()).steps).toEqual([]);
    await place.apply(await place.undo(restore, plan));
    expect((await words()).filter((line) => line.startsWith('file notes'))).not.toEqual(
      before.filter((line) => line.startsWith('file notes')),
    );
  });

  it('says of a file that somebody added that no operation deletes it', async () => {
    const { world, made, place } = there;
    await importFiles(world, made.guide, { 'use.md': '# Use\n\nSee [it](new.txt).\n', 'new.txt': 'New.' });
    expect(planTree(await place.plan({ added: true }))).toContain('! file new.txt  (no operation deletes it)');
  });

  it('writes no page over a link that has its address since, and no link over a page', async () => {
    const { world, made, place } = there;
    const link = { 'SUMMARY.md': '* [Install](https://example.com/a)\n* [Map](https://example.com/b)\n' };
    await edit(world, made.guide, { type: 'delete_page', page: made.pages['Install'] ?? '' });
    await importFiles(world, made.guide, link);
    const { snapshot } = await world.sync();
    const plan = await place.plan();
    expect((await place.apply(plan)).failures).toEqual([]);
    expect((await words()).filter((line) => / "(?:Install|Linux|Map)"/.test(line)).toSorted()).toEqual([
      'page  link "Install": ""',
      'page  link "Map": ""',
      expect.stringContaining('page install document "Install"'),
      expect.stringContaining('page install/linux document "Linux"'),
    ]);
    const { Map: map = '' } = await pagesOf(world, made.guide);
    await edit(world, made.guide, { type: 'delete_page', page: map }, insert('Map', 'Written since.'));
    await place.apply(await place.plan({ snapshot: snapshot.id, changed: false }));
    expect((await words()).filter((line) => line.includes('"Map"')).toSorted()).toEqual([
      'page  link "Map": ""',
      String.raw`page map document "Map": "# Map\n\nWritten since."`,
    ]);
  });

  it('finds a link that is shown again as it was, though nobody had ever set whether it is hidden', async () => {
    const { world, made } = there;
    await importFiles(world, made.guide, { 'SUMMARY.md': '* [Out](https://example.com/out)\n' });
    const snapshot = (await world.sync()).snapshot.id;
    const page = (await pagesOf(world, made.guide))['Out'] ?? '';
    await edit(world, made.guide, { type: 'update_page', page, hidden: true });
    const { restore } = await there.place.apply(await there.place.plan({ snapshot }));
    const { passed, differences } = await there.place.verify(restore);
    expect([passed, differences]).toEqual([true, []]);
  });
});
