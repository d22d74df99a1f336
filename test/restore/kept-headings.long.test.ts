// Whether a text that is written loses its first heading to the title, or keeps it, is said nowhere in the API document: platforms do either.
import { expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import type { Plan } from '../../src/restore/index.ts';
import { edit, pagesOf, type Change } from '../support/content.ts';
import { inPlace, mirroredAnew, type InPlace } from '../support/in-place.ts';
import { rewriting, type Rewrite, type Rewriting } from '../support/rewriting.ts';

const anew = mirroredAnew();

const withoutTitles: Rewrite = (_asked, { status, body }) =>
  isRecord(body) && typeof body['markdown'] === 'string'
    ? { status, body: { ...body, markdown: body['markdown'].replace(/^# .*\n*/, '') } }
    : undefined;

/** The embedded platform takes one heading: with another before it, what was sent is kept. */
const keeping: Rewriting['send'] = ({ method, path }, text) => {
  if (method !== 'POST' || !/\/change-requests\/[^/]+\/content$/.test(path)) return undefined;
  const { changes } = JSON.parse(text) as { changes: Change[] };
  const kept = changes.map((one) =>
    'document' in one && one.document?.markdown !== undefined
      ? { ...one, document: { markdown: one.document.markdown.replace(/^# .*\n/, (line) => `${line}\n${line}`) } }
      : one,
  );
  return JSON.stringify({ changes: kept });
};

const PLATFORMS = [
  ['keeps it and shows titles', { send: keeping }],
  ['keeps it and shows no titles', { send: keeping, rewrite: withoutTitles }],
  ['takes it away and shows no titles', { rewrite: withoutTitles }],
  ['takes it away and shows titles', {}],
] as const;

interface Changed extends AsyncDisposable {
  readonly place: InPlace;
  readonly plan: Plan;
  readonly texts: () => Promise<string[]>;
  readonly reads: () => number;
}

/** Two pages that somebody wrote over, on a platform with such habits. */
async function changed(habits: Partial<Pick<Rewriting, 'send' | 'rewrite'>>): Promise<Changed> {
  const { world, made } = await anew();
  const proxy = await rewriting(world);
  Object.assign(proxy, habits);
  const place = inPlace(world, proxy.client);
  const { snapshot } = await world.sync({ client: proxy.client, mode: 'full' });
  const pages = ['Home', 'Install'].map((title) => ({ title, id: made.pages[title] ?? '' }));
  const bad = pages.map(({ title, id }): Change => {
    return { type: 'update_page', page: id, document: { markdown: `# ${title}\n\nWritten over.` } };
  });
  const read = pages.map(
    ({ id: pageId }) =>
      () =>
        world.api.getPage({ path: { spaceId: made.guide, pageId }, query: { format: 'markdown' } }),
  );
  await edit(world, made.guide, ...bad);
  const plan = await place.plan({ snapshot: snapshot.id, scope: `space:${made.guide}` });
  world.platform.clearRequestLog();
  return {
    place,
    plan,
    texts: async () => Promise.all(read.map(async (one) => (await one()).markdown ?? '')),
    reads: () =>
      world.platform.requestLog.recent().filter(({ operation }) => operation === 'getChangeRequestPage').length,
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

it.each(PLATFORMS)(
  'restore/in-place sets texts back as they were where the platform %s: each had its title twice, or a heading that was never there',
  async (_, habits) => {
    await using there = await changed(habits);
    const { place, plan, texts, reads } = there;
    const { restore, failures } = await place.apply(plan);
    expect(failures).toEqual([]);
    expect(reads()).toBe(1);
    for (const text of await texts()) expect(text).toMatch(/^# (.+)\n+(?!# \1)(?!Written)/);
    expect((await place.plan({ snapshot: plan.snapshot })).steps.filter(({ action }) => action === 'update')).toEqual(
      [],
    );
    expect(await place.verify(restore)).toMatchObject({ passed: true });
  },
);

it('restore/in-place names a heading that the platform lets nobody take out of a text again: the space failed, and all else in it', async () => {
  const refusing: Rewriting['send'] = (asked, text) =>
    // The platform refuses a batch without changes.
    text.includes('"document"') && !text.includes('"title"') && text.includes('Get the package')
      ? '{"changes":[]}'
      : keeping(asked, text);
  await using there = await changed({ send: refusing });
  const { place, plan, texts } = there;
  const { lacking, failures } = await place.apply(plan);
  expect([lacking, failures.map(({ error }) => error)]).toEqual([
    1,
    [expect.stringMatching(/^the edit that takes a heading it never had out of page Install was refused: /)],
  ]);
  const [home] = await texts();
  expect(home).toMatch(/^# Home\n+(?!# Home)(?!Written)/);
});

it.each(['lost', 'killed'] as const)(
  'restore/in-place does so where every write is %s and the platform keeps headings',
  async (cut) => {
    await using there = await changed(PLATFORMS[0][1]);
    const { place, plan, texts } = there;
    await place.endure(plan, cut);
    for (const text of await texts()) expect(text).toMatch(/^# (.+)\n+(?!# \1)(?!Written)/);
    expect((await place.plan({ snapshot: plan.snapshot })).steps.filter(({ action }) => action === 'update')).toEqual(
      [],
    );
  },
);

it.each(['lost', 'killed'] as const)(
  'restore/in-place turns links to what comes back where every write is %s and the platform keeps headings: pages that link there had their titles twice',
  async (cut) => {
    const { world, made, place: direct } = await anew();
    await using _world = world;
    await using proxy = await rewriting(world);
    proxy.send = keeping;
    const place = inPlace(world, proxy.client);
    const [spaceId, home] = [made.guide, made.pages['Home'] ?? ''];
    const read = async (): Promise<string> =>
      (await world.api.getPage({ path: { spaceId, pageId: home }, query: { format: 'markdown' } })).markdown ?? '';
    const gone = made.pages['Use'] ?? '';
    await edit(world, spaceId, {
      type: 'update_page',
      page: home,
      document: { markdown: `# Home\n\n[Use](/pages/${gone})` },
    });
    const { snapshot } = await world.sync();
    const before = await read();
    await edit(world, spaceId, { type: 'delete_page', page: gone });
    await place.endure(await direct.plan({ snapshot: snapshot.id, scope: `space:${spaceId}` }), cut);
    const now = (await pagesOf(world, spaceId))['Use'] ?? '';
    expect(await read()).toBe(before.replace(gone, now));
    expect(now).not.toBe(gone);
  },
);
