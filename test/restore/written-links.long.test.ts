// Links as people write them: with anchors of every form, with a query, to files whose names need encoding, and to what is not there.
import { expect, it } from 'vitest';
import { addRequest, addSpace, edit, importFiles, insert, pagesOf } from '../support/content.ts';
import { bare } from '../support/in-place.ts';
import { createTarget } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

/** Restores all of it, and demands that no field differs and as many links are broken as were. */
async function expectWhole(make: (world: TestWorld) => Promise<unknown>, broken = 0): Promise<void> {
  const { world } = await bare(make);
  await using _world = world;
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  const report = await target.verify(restore);
  expect(report.differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect(report.brokenLinks).toEqual({ before: broken, after: broken });
}

async function filesOf(world: TestWorld, spaceId: string): Promise<Record<string, string>> {
  const { files } = await world.api.getRevision({ path: { spaceId } });
  return Object.fromEntries(files.map(({ name, id }) => [name, id]));
}

it('restore/apply brings a file back that a block tag shows, whatever its name: a drill failed every night where it needs a percent sign', () =>
  expectWhole(async (world) => {
    const space = await addSpace(world, 'One');
    const names = ['annual report.pdf', 'pic (1).png', 'plain.txt'];
    const links = names.map((name) => `{% file src="${encodeURI(name)}" %}\n\n{% embed url="${encodeURI(name)}" %}`);
    const bytes = Object.fromEntries(names.map((name) => [name, name]));
    await importFiles(world, space, { 'one.md': `# One\n\n${links.join('\n\n')}\n`, ...bytes });
    const files = await filesOf(world, space);
    expect(Object.keys(files).toSorted()).toEqual(names);
    for (const id of Object.values(files))
      await edit(world, space, insert(`Shows ${id}`, `{% file src="/files/${id}" %}\nCaption\n{% endfile %}`));
  }));

const ANCHORS = [
  "what's-new",
  'a&b',
  'a&amp;b',
  'f()',
  'x"y',
  'a[b]',
  'a`b',
  'a<b',
  'a%20b',
  String.raw`a\_b`,
  'a?b',
  'é',
];

it('restore/verify fails for no anchor, however it is written: it came back encoded', () =>
  expectWhole(async (world) => {
    const [space, beyond] = [await addSpace(world, 'One'), await addSpace(world, 'Beyond')];
    await edit(world, space, insert('There', 'Text'));
    await edit(world, beyond, insert('Far', 'Text'));
    const [{ There = '' }, { Far = '' }] = [await pagesOf(world, space), await pagesOf(world, beyond)];
    const links = ANCHORS.flatMap((anchor) =>
      [`/pages/${There}`, `/spaces/${beyond}/pages/${Far}`].flatMap((page) => [
        `[l](${page}#${anchor})`,
        `[l](<${page}#${anchor.replace('<', '')} (b>)`,
        `<a href='${page}#${anchor.replace("'", '')}'>l</a>`,
      ]),
    );
    await edit(world, space, insert('Linking', links.join('\n\n')));
  }));

it('restore/apply brings links to pages with a query back as they were: they kept the old ids', () =>
  expectWhole(async (world) => {
    const [space, beyond] = [await addSpace(world, 'One'), await addSpace(world, 'Beyond')];
    await edit(world, space, insert('There', 'Text'));
    await edit(world, beyond, insert('Far', 'Text'));
    const [{ There = '' }, { Far = '' }] = [await pagesOf(world, space), await pagesOf(world, beyond)];
    const own = `[a](/pages/${There}?q=1#a) [b](/spaces/${space}/pages/${There}?q)`;
    await edit(world, space, insert('Linking', `${own} [c](/spaces/${beyond}/pages/${Far}?q=1#it's)`));
    await edit(world, space, insert('Whole', `[d](/spaces/${beyond}?x#y)`));
  }));

it('restore/apply brings the place in a file back that a link names: it led to the beginning', () =>
  expectWhole(async (world) => {
    const space = await addSpace(world, 'One');
    await importFiles(world, space, { 'one.md': '# One\n\n[l](some.pdf#page=2)\n', 'some.pdf': 'PDF' });
    const { 'some.pdf': file = '' } = await filesOf(world, space);
    const { One: pageId = '' } = await pagesOf(world, space);
    const query = { format: 'markdown' as const };
    const { markdown } = await world.api.getPage({ path: { spaceId: space, pageId }, query });
    expect(markdown).toContain(`(/files/${file}#page=2)`);
  }));

it('restore/verify calls no link different that led nowhere before and leads nowhere now: it has the id of what stands elsewhere', () =>
  expectWhole(async (world) => {
    const [space, beyond] = [await addSpace(world, 'One'), await addSpace(world, 'Beyond')];
    await edit(world, space, insert('There', 'Text'));
    await importFiles(world, beyond, { 'far.md': '# Far\n\n[l](far.txt)\n', 'far.txt': 'Far' });
    const [{ There = '' }, { Far = '' }] = [await pagesOf(world, space), await pagesOf(world, beyond)];
    const { 'far.txt': file = '' } = await filesOf(world, beyond);
    const links = [
      `/files/${file}`,
      `/spaces/nope/pages/${There}`,
      `/spaces/${beyond}/pages/${There}`,
      `/pages/${Far}`,
    ];
    const text = [...links, `/pages/${There}`].map((link) => `[l](${link})`).join(' ');
    await edit(world, space, insert('Linking', text));
    await addRequest(world, space, { subject: 'Proposal', changes: [insert('Proposed', text)] });
  }, 4));

it('restore/apply brings links to files with a query, or in a named space, back as they were: they kept the old ids', () =>
  expectWhole(async (world) => {
    const [space, beyond] = [await addSpace(world, 'One'), await addSpace(world, 'Beyond')];
    for (const one of [space, beyond])
      await importFiles(world, one, { 'one.md': '# One\n\n[l](some.txt)\n', 'some.txt': one });
    const { 'some.txt': own = '' } = await filesOf(world, space);
    const { 'some.txt': far = '' } = await filesOf(world, beyond);
    const { One = '' } = await pagesOf(world, space);
    const links = [
      `/files/${own}?alt=media#page=2`,
      `/spaces/${space}/files/${own}`,
      `/spaces/${beyond}/files/${far}?x`,
    ];
    const text = [...links, `/pages/${One}?q=1#a`].map((link) => `[l](${link}) ![i](${link})`).join(' ');
    await edit(world, space, insert('Linking', text));
    const proposed = `[l](/files/${own}?alt=media) [l](/pages/${One}?q=1#a) [l](/spaces/${beyond}/files/${far})`;
    await addRequest(world, space, { subject: 'Proposal', changes: [insert('Proposed', proposed)] });
  }));
