// Of what could never be read, and a person said that it is known: what a restore and an export of such a snapshot make of it.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportSnapshot } from '../../src/export/index.ts';
import { acceptSnapshot } from '../../src/mirror/index.ts';
import { addRequest, addSpace, edit, flatten, importFiles, insert, pagesOf, PNG } from '../support/content.ts';
import { readTree } from '../support/export-place.ts';
import { createTarget, drill } from '../support/restore.ts';
import { TestWorld } from '../support/world.ts';

const BROKEN = { status: 500, body: { error: { code: 500, message: 'Internal' } } };

let world: TestWorld;
let pages: Record<string, string>;
let logo: string;
let added: string;

/** A file, and two pages of a change request: one that the space has, and one that it does not. */
beforeAll(async () => {
  world = await TestWorld.create();
  const space = await addSpace(world, 'Manual');
  await importFiles(world, space, { 'README.md': '# Home\n\n![Logo](assets/logo.png)\n', 'assets/logo.png': PNG });
  await edit(world, space, insert('Kept', 'Two'), insert('Old', 'Three'));
  pages = await pagesOf(world, space);
  const request = await addRequest(world, space, {
    subject: 'Proposal',
    changes: [
      { type: 'delete_page', page: pages['Old'] ?? '' },
      { type: 'update_page', page: pages['Kept'] ?? '', document: { markdown: 'Rewritten.' } },
      insert('Hidden', 'Five'),
      insert('Added', 'Six'),
    ],
  });
  const path = { spaceId: space, changeRequestId: request.id };
  const tree = await world.api.getChangeRequestRevision({ path });
  added = tree.pages.find(({ title }) => title === 'Hidden')?.id ?? '';
  logo = tree.files[0]?.id ?? '';
  world.platform.faults = [
    { operation: 'download', effect: BROKEN },
    { operation: 'getChangeRequestPage', pathPattern: `/page/(${added}|${pages['Kept']})`, effect: BROKEN },
  ];
  const { snapshot, failures } = await world.sync();
  expect(failures.filter(({ kind }) => kind.startsWith('change-request-page'))).toHaveLength(2);
  acceptSnapshot(world.mirror, snapshot.id, 'ticket 7');
});

afterAll(() => world[Symbol.asyncDispose]());

it('restore takes away the pages that a change request takes away, and leaves those as they are of which it could not be read: they all stayed', async () => {
  await using target = await createTarget(world);
  const plan = await target.plan();
  const [step] = plan.steps.filter(({ kind }) => kind === 'change-request-revision');
  expect(step?.note).toContain(
    '1 page taken away from where the space has it, 2 pages that could never be read left out',
  );
  const { restore, failures } = await target.apply(plan);
  expect(failures).toEqual([]);
  const spaceId = await target.spaceCalled('Manual');
  const { items } = await target.client.api.listChangeRequests({ path: { spaceId }, query: { status: 'draft' } });
  const path = { spaceId, changeRequestId: items.find(({ subject }) => subject === 'Proposal')?.id ?? '' };
  const tree = await target.client.api.getChangeRequestRevision({ path });
  expect(new Set(flatten(tree.pages).map(({ title }) => title))).toEqual(new Set(['Home', 'Kept', 'Added']));
  expect((await target.verify(restore)).passed).toBe(true);
});

it('drill passes without them: each one failed, as what stands behind such a page was not in its place', async () => {
  const { passed, differences } = await drill(world);
  expect(differences.filter(({ field }) => field === 'position')).toMatchObject([{ class: 'bestEffort' }]);
  expect(passed).toBe(true);
});

it('restore says which they are, each with what it stands in: a file was called the files of its own id', async () => {
  await using target = await createTarget(world);
  const { preflight } = await target.plan();
  const { detail } = preflight.find(({ check }) => check === 'the snapshot') ?? { detail: '' };
  expect(detail).toContain(`file ${logo} of Manual`);
  expect(detail).toContain(`change request page ${added} of Proposal`);
});

it('export tells them apart from what a change request takes away, and names what is not there: a page that was rewritten was said to be removed', async () => {
  const to = join(world.folder(), 'content');
  await exportSnapshot({ mirror: world.mirror, snapshot: 1, to, ownOnly: false });
  const tree = readTree(to, []);
  const request = Object.entries(tree).find(([path]) => path.endsWith('proposal/README.md'))?.[1];
  expect(request).toContain(
    `## Added\n\n* Added\n\n## Removed\n\n* Old\n\n## Could not be read\n\n* Kept\n* ${added}\n`,
  );
  expect(tree['README.md']).toContain(`## What is not here`);
  expect(tree['README.md']).toMatch(new RegExp(`\\* file ${logo} of .*Manual\\n$`));
});

it('drill passes with a page below one that its tree shows and that is not found: it came to the top, where nobody looked for it, and each drill failed', async () => {
  await using lacking = await TestWorld.create();
  const space = await addSpace(lacking, 'Docs');
  await edit(lacking, space, insert('First', 'One'), insert('Lost', 'Two'), insert('Last', 'Three'));
  const { Lost = '' } = await pagesOf(lacking, space);
  await edit(lacking, space, insert('Below', 'Four', { into: Lost }));
  const effect = { status: 404, body: { error: { code: 404, message: 'No' } } };
  lacking.platform.faults = (['getPage', 'getChangeRequestPage'] as const).map((operation) => {
    return { operation, pathPattern: `/page/${Lost}`, effect };
  });
  const { snapshot, failures } = await lacking.sync();
  expect(failures[0]?.code).toBe('DM_NOT_FOUND');
  acceptSnapshot(lacking.mirror, snapshot.id, 'ticket 7');
  await using target = await createTarget(lacking);
  const notes = (await target.plan()).steps.map(({ note }) => note);
  expect(notes).toContainEqual(expect.stringContaining('(1 at the top, since nothing goes below a link, or a page'));
  const { passed, differences } = await drill(lacking);
  expect(differences.filter((one) => one.class === 'exact')).toEqual([]);
  expect(passed).toBe(true);
});
