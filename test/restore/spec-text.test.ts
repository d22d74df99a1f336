// The text that a specification comes back from, however the platform holds the files of its versions: the API document does not say.
import { describe, expect, it } from 'vitest';
import { inPlace } from '../support/in-place.ts';
import { createTarget, drill } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const DOCUMENT = { openapi: '3.0.3', info: { title: 'Shop', version: '1' }, paths: {} };
const TEXT = JSON.stringify(DOCUMENT);

/** What becomes of a specification: the note of the plan. */
type Told = readonly [string | undefined, string | undefined];

interface Planned {
  /** By slug. */
  readonly told: Readonly<Record<string, Told>>;
  readonly passed: boolean;
}

/** What becomes of specifications whose newest versions show these, by their slugs, and whether a drill passes. */
async function planned(shown: Readonly<Record<string, unknown>>): Promise<Planned> {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const path = { organizationId: world.organization };
  for (const slug of Object.keys(shown))
    await world.api.createOpenApiSpec({ path, body: { slug, source: { text: TEXT } } });
  await world.platform.settle();
  proxy.rewrite = (asked, { status, body }) => {
    const slug = /\/openapi\/([^/]+)\/.*\/content$/.exec(asked.path)?.[1];
    return slug === undefined ? undefined : { status, body: { ...(body as object), filesystem: shown[slug] } };
  };
  await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  const specs = (await target.plan()).steps.filter(({ kind }) => kind === 'openapi-spec');
  const told = specs.map(({ key, action, note }) => [key.split('/')[1] ?? '', [action, note]] as const);
  return { told: Object.fromEntries(told), passed: (await drill(world)).passed };
}

function all(shown: Readonly<Record<string, unknown>>, told: Told): Planned {
  return { told: Object.fromEntries(Object.keys(shown).map((slug) => [slug, told])), passed: true };
}

const HELD = {
  'beside-its-notes': { 'a.json': { isEntrypoint: true, specification: DOCUMENT } },
  'as-a-text': { 'a.json': { isEntrypoint: true, specification: TEXT } },
  bare: { 'a.json': DOCUMENT },
  'bare-of-the-older-kind': { 'a.json': { swagger: '2.0', info: DOCUMENT.info, paths: {} } },
  'bare-behind-a-part-of-it': { 'a.json': { type: 'string' }, 'b.json': DOCUMENT },
  'as-a-bare-text': { 'a.json': TEXT },
  'in-a-list-of-files': [{ filename: 'a.json', isEntrypoint: true, specification: DOCUMENT }],
};

const NOT_HELD = {
  'an-empty-text': { 'a.json': { isEntrypoint: true, specification: '' } },
  'an-empty-bare-text': { 'a.json': '' },
  'several-bare-texts': { 'a.json': '{}', 'b.json': TEXT },
  'no-file': {},
  'a-file-without-what-is-in-it': { 'a.json': { isEntrypoint: true } },
  null: null,
};

describe('restore/special/spec-text', () => {
  it('comes back however a version holds it: "the snapshot does not hold that text"', async () => {
    expect(await planned(HELD)).toEqual(all(HELD, ['create', 'from the text of its newest version']));
  });

  it('is said not to come back where no version holds it, and no drill fails for it: "expected restored, got missing"', async () => {
    const note = 'it was given as a text, and the snapshot does not hold that text';
    expect(await planned(NOT_HELD)).toEqual(all(NOT_HELD, ['unsupported', note]));
  });

  it('is said to go for good where nothing shows it: the undo of `--delete` could not bring it back, and no plan had told', async () => {
    await using world = await TestWorld.create();
    await world.sync();
    const path = { organizationId: world.organization };
    const texts = { shown: TEXT, 'not-shown': 'no specification' };
    for (const [slug, text] of Object.entries(texts))
      await world.api.createOpenApiSpec({ path, body: { slug, source: { text } } });
    await world.platform.settle();
    await world.sync();
    const { steps } = await inPlace(world).plan({ snapshot: 1, missing: false, changed: false, added: true });
    const specs = steps.filter(({ kind }) => kind === 'openapi-spec');
    expect(Object.fromEntries(specs.map(({ key, note }) => [key.split('/')[1] ?? '', note]))).toEqual({
      shown: 'not in the snapshot',
      'not-shown': expect.stringContaining('no undo makes it anew'),
    });
  });
});
