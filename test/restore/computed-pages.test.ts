// In place: a specification, and the pages that the platform makes from it, which nobody can write.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addSpace, edit, flatten, importFiles, pagesOf } from '../support/content.ts';
import { inPlace, type InPlace } from '../support/in-place.ts';
import { worldAnew } from '../support/copied-world.ts';
import type { TestWorld } from '../support/world.ts';

const specOf = (tag: string) => {
  const paths = { '/all': { get: { tags: [tag], responses: { 200: { description: `All ${tag}` } } } } };
  return { text: JSON.stringify({ openapi: '3.1.0', info: { title: `About ${tag}`, version: '1' }, paths }) };
};

let world: TestWorld;
let place: InPlace;
let path: { organizationId: string; specSlug: string };
let space: string;

const anew = worldAnew(async (one) => {
  const spec = { organizationId: one.organization, specSlug: 'api' };
  const guide = await addSpace(one, 'Guide');
  await importFiles(one, guide, { 'README.md': '# Home\n\nText.\n' });
  await one.api.putOpenApiSpec({ path: spec, body: { source: specOf('pets') } });
  one.platform.addComputedPage({ space: guide, spec: 'api', title: 'Operations' });
  await one.platform.settle();
  await one.sync();
  return { space: guide, path: spec };
});

beforeEach(async () => {
  ({ world, space, path } = await anew());
  place = inPlace(world);
});

afterEach(() => world[Symbol.asyncDispose]());

/** What readers see, and whether it is made from the specification. */
async function texts(): Promise<string[]> {
  await world.platform.settle();
  const { pages } = await world.api.getRevision({ path: { spaceId: space } });
  const all = flatten(pages).map(({ id }) =>
    world.api.getPage({ path: { spaceId: space, pageId: id }, query: { format: 'markdown' } }),
  );
  return (await Promise.all(all)).map(({ markdown, computed }) => `${computed !== undefined} ${markdown}`);
}

async function renameHome(): Promise<void> {
  const { Home: page = '' } = await pagesOf(world, space);
  await edit(world, space, { type: 'update_page', page, title: 'Start' });
}

/** Sets all back to snapshot 1, verifies it, and takes it back. */
async function expectThereAndBack(was: unknown): Promise<void> {
  const [now, plan] = [await texts(), await place.plan({ added: true })];
  const { restore, failures } = await place.apply(plan);
  expect([failures, await texts()]).toEqual([[], was]);
  expect((await place.verify(restore)).passed).toBe(true);
  const { steps } = await place.plan({ added: true });
  expect(steps.filter(({ part }) => part !== 'none')).toEqual([]);
  const back = await place.apply(await place.undo(restore, plan));
  expect([back.failures, await texts()]).toEqual([[], now]);
}

it('restore/in-place: a specification that was deleted does not keep the pages from being set back beside those made from it', async () => {
  const was = await texts();
  expect(was).toHaveLength(3);
  await world.api.deleteOpenApiSpec({ path });
  await renameHome();
  await expectThereAndBack(was);
});

it('restore/in-place: a specification that was given another text has its own again, and its pages follow', async () => {
  const was = await texts();
  await world.api.putOpenApiSpec({ path, body: { source: specOf('plants') } });
  await renameHome();
  await expectThereAndBack(was);
});

it('restore/in-place: a specification that was given an address has its text again', async () => {
  const was = await texts();
  await world.api.putOpenApiSpec({ path, body: { source: { url: 'http://127.0.0.1:9/api.json' } } });
  await world.platform.settle();
  const plan = await place.plan();
  expect(plan.steps.map(({ part, kind, note }) => `${part} ${kind}: ${note}`)).toEqual([
    'settings openapi-spec: the text of its newest version then',
  ]);
  const { restore, failures } = await place.apply(plan);
  expect([failures, await texts()]).toEqual([[], was]);
  expect((await place.verify(restore)).passed).toBe(true);
  expect((await world.api.getOpenApiSpec({ path })).sourceURL).toBeUndefined();
});

it('restore/in-place: a text that the platform could not read is said not to come back before it is written over, and by the undo', async () => {
  const was = await texts();
  await world.api.putOpenApiSpec({ path, body: { source: { text: 'no specification' } } });
  await world.platform.settle();
  const lost = 'which the platform could not read (PARSE_ERROR), is shown by no operation and does not come back';
  const plan = await place.plan();
  const said = ({ steps }: typeof plan): string[] =>
    steps.map(({ action, kind, note }) => `${action} ${kind}: ${note}`);
  expect(said(plan)).toEqual([
    `update openapi-spec: the text of its newest version then; the text that it has, ${lost}`,
  ]);
  const { restore, failures } = await place.apply(plan);
  expect([failures, await texts()]).toEqual([[], was]);
  expect((await place.verify(restore)).passed).toBe(true);
  expect((await world.api.getOpenApiSpec({ path })).lastProcessErrorCode).toBeUndefined();
  const back = await place.undo(restore, plan);
  expect(said(back), 'an undo said nothing').toEqual([`unsupported openapi-spec: the text that it had then, ${lost}`]);
  expect((await place.plan()).steps, 'what was not there in the snapshot is not missed').toEqual([]);
});

it('restore/in-place: a page made from a specification that somebody added goes, and those below it with it', async () => {
  const was = await texts();
  world.platform.addComputedPage({ space, spec: 'api', title: 'Once more' });
  expect(await texts()).toHaveLength(was.length + 2);
  const { restore, failures } = await place.apply(await place.plan({ added: true }));
  expect([failures, await texts()]).toEqual([[], was]);
  expect((await place.verify(restore)).passed).toBe(true);
});

it('restore/in-place: a specification of which the snapshot has no text keeps the one that it has: an empty one would be given in its place', async () => {
  await world.api.createOpenApiSpec({ path, body: { slug: 'broken', source: { text: 'no specification' } } });
  await world.platform.settle();
  const { snapshot } = await world.sync();
  const own = { ...path, specSlug: 'broken' };
  await world.api.putOpenApiSpec({ path: own, body: { source: specOf('plants') } });
  await world.platform.settle();
  const plan = await place.plan({ snapshot: snapshot.id });
  expect(plan.steps.map(({ action, title, note }) => [action, title, note])).toEqual([
    ['unsupported', 'broken', 'it was given as a text, and the snapshot does not hold that text'],
  ]);
});

it('restore/in-place: a specification with an address is given that again, and no text', async () => {
  const source = (name: string) => ({ source: { url: `http://127.0.0.1:9/${name}.json` } });
  await world.api.createOpenApiSpec({ path, body: { slug: 'fetched', ...source('one') } });
  await world.platform.settle();
  const { snapshot } = await world.sync();
  await world.api.putOpenApiSpec({ path: { ...path, specSlug: 'fetched' }, body: source('two') });
  const { steps } = await place.plan({ snapshot: snapshot.id });
  expect(steps.map(({ action, part, note }) => [action, part, note])).toEqual([['update', 'fields', 'source']]);
});
