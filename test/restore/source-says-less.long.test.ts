// A platform that leaves out what it may leave out, or says null of it: what comes back elsewhere says more, and differs in nothing.
import { expect, it } from 'vitest';
import { readerAt } from '../../src/mirror/index.ts';
import { covered } from '../../src/restore/compare/covered.ts';
import { furnish, importFiles } from '../support/content.ts';
import { invite, organize } from '../support/organization.ts';
import { createTarget } from '../support/restore.ts';
import { filledWorlds } from '../support/copied-world.ts';
import { changing, rewriting, type Rewrite } from '../support/rewriting.ts';
import type { TestWorld } from '../support/world.ts';

type Fields = Record<string, unknown>;

const OFF_WHEN_ABSENT: Readonly<Record<string, readonly string[]>> = {
  organization: ['sso', 'ai'],
  'site-section': ['default'],
  'site-space': ['default', 'hasAdvancedCustomizationFeature'],
};
const DECIDED: Readonly<Record<string, readonly string[]>> = { space: ['editMode'], 'share-link': ['active'] };

function withoutSwitches(one: Fields): Fields {
  const kind = String(one['object']);
  const off = (OFF_WHEN_ABSENT[kind] ?? []).filter((field) => one[field] === false);
  const gone = new Set([...off, ...(DECIDED[kind] ?? [])]);
  return Object.fromEntries(Object.entries(one).filter(([field]) => !gone.has(field)));
}

const withoutKind = changing(({ object: _kind, ...one }) => one);
/** No resource says of which kind it is; texts as trees are made of such names. */
const withoutKinds: Rewrite = (asked, answer) =>
  asked.path.includes('/content') ? undefined : withoutKind(asked, answer);

const anew = filledWorlds(async (world) => {
  await furnish(world);
  const { spaces } = await organize(world);
  await importFiles(world, spaces['Start'] ?? '', { 'README.md': '# Start\n', 'assets/LICENSE': 'free' });
});

async function walkedThrough(rewrite: Rewrite): Promise<TestWorld> {
  const world = await anew();
  await using proxy = await rewriting(world);
  proxy.rewrite = rewrite;
  expect((await world.sync({ client: proxy.client, mode: 'full' })).snapshot).toMatchObject({ state: 'complete' });
  return world;
}

/** The type of a file that no name tells. */
function withTypes(one: Fields): Fields {
  return one['name'] === 'LICENSE' ? { ...one, contentType: 'text/x-licence' } : one;
}

function withNulls(one: Fields): Fields {
  const isSparse = ['custom-field', 'saml-provider'].includes(String(one['object']));
  return isSparse ? { description: null, placeholder: null, options: null, entityID: null, ssoURL: null, ...one } : one;
}

it.each([
  ['that no resource names its kind: each was an exact difference, and no drill passed', withoutKinds],
  [
    'switches that are off, what it decides itself, and the type of a file, which no archive carries: each was an exact difference; and null for what was never set: no custom field and no sign-on came back',
    changing((one) => withTypes(withNulls(withoutSwitches(one)))),
  ],
])('restore/verify takes from the source %s', async (_what, rewrite) => {
  await using world = await walkedThrough(rewrite);
  await using target = await createTarget(world);
  invite(target, ['robin', 'kim', 'noor']);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  await target.platform.settle();
  const { passed, differences } = await target.verify(restore);
  expect([passed, differences.filter((one) => one.class === 'exact')]).toEqual([true, []]);
});

it('restore/verify misses no value where none is set: one platform lists such a field, and another does not', async () => {
  await using world = await walkedThrough(({ path }, { status, body }) =>
    /\/spaces\/[^/]+\/custom-fields$/.test(path) && Array.isArray(body)
      ? { status, body: body.map((one: Fields, index) => (index === 0 ? { customField: one['customField'] } : one)) }
      : undefined,
  );
  await using target = await createTarget(world);
  const plan = await target.plan();
  const wanted = [...covered(plan, readerAt(world.mirror, 1), 'custom-field-value')].filter((one) => one !== null);
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter(({ body }) => body['value'] === undefined)).toEqual([]);
});
