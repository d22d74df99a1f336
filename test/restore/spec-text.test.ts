// The text that a specification comes back from, however the platform holds the files of its versions: the API document does not say.
import { describe, expect, it } from 'vitest';
import { createTarget, drill } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const DOCUMENT = { openapi: '3.0.3', info: { title: 'Shop', version: '1' }, paths: {} };
const TEXT = JSON.stringify(DOCUMENT);

/** What becomes of a specification whose newest version shows this: the note of the plan, and whether a drill passes. */
async function planned(filesystem: unknown): Promise<readonly [string | undefined, string | undefined, boolean]> {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const path = { organizationId: world.organization };
  await world.api.createOpenApiSpec({ path, body: { slug: 'shop', source: { text: TEXT } } });
  await world.platform.settle();
  proxy.rewrite = (asked, { status, body }) =>
    asked.path.includes('/openapi/') && asked.path.endsWith('/content')
      ? { status, body: { ...(body as object), filesystem } }
      : undefined;
  await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  const step = (await target.plan()).steps.find(({ kind }) => kind === 'openapi-spec');
  return [step?.action, step?.note ?? undefined, (await drill(world)).passed];
}

const COMES_BACK = ['create', 'from the text of its newest version', true];
const HAS_NONE = ['unsupported', 'it was given as a text, and the snapshot does not hold that text', true];

describe('restore/special/spec-text', () => {
  it.each([
    ['beside its notes', { 'a.json': { isEntrypoint: true, specification: DOCUMENT } }],
    ['as a text', { 'a.json': { isEntrypoint: true, specification: TEXT } }],
    ['bare', { 'a.json': DOCUMENT }],
    ['bare, of the older kind', { 'a.json': { swagger: '2.0', info: DOCUMENT.info, paths: {} } }],
    ['bare, behind a part of it', { 'a.json': { type: 'string' }, 'b.json': DOCUMENT }],
    ['as a bare text', { 'a.json': TEXT }],
    ['in a list of files', [{ filename: 'a.json', isEntrypoint: true, specification: DOCUMENT }]],
  ])('comes back that a version holds %s: "the snapshot does not hold that text"', async (_how, filesystem) => {
    expect(await planned(filesystem)).toEqual(COMES_BACK);
  });

  it.each([
    ['an empty text', { 'a.json': { isEntrypoint: true, specification: '' } }],
    ['an empty bare text', { 'a.json': '' }],
    ['several bare texts', { 'a.json': '{}', 'b.json': TEXT }],
    ['no file', {}],
    ['a file without what is in it', { 'a.json': { isEntrypoint: true } }],
    ['null', null],
  ])(
    'is said not to come back of %s, and no drill fails for it: "expected restored, got missing"',
    async (_what, filesystem) => {
      expect(await planned(filesystem)).toEqual(HAS_NONE);
    },
  );
});
