import { describe, expect, it } from 'vitest';
import { addSpace, edit, importFiles, insert } from '../support/content.ts';
import { furnishedWorld, organizedWorld } from '../support/furnished.ts';
import { rewriting, type Rewrite } from '../support/rewriting.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

const ERROR = { status: 200, body: { error: { code: 503, message: 'Try again later' } } };

describe('walker, an error with status 200', () => {
  it.each([
    ['with nothing else', ERROR],
    ['with a field more', { status: 200, body: { ...ERROR.body, requestId: 'r1' } }],
  ])('is no specification, adaptive schema or published site, %s', async (_how, error) => {
    await using world = await organizedWorld();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    await world.platform.settle();
    const whenAsked: Rewrite = ({ path }) =>
      /\/(versions\/[^/]+\/content|published|adaptive-schema)$/.test(path) ? error : undefined;
    proxy.rewrite = whenAsked;
    const { snapshot, failures } = await world.sync({ client });
    expect(snapshot.state).toBe('partial');
    expect(new Set(failures.map(({ kind, code }) => `${kind} ${code}`))).toEqual(
      new Set(
        ['openapi-spec-content', 'site-adaptive-schema', 'published-site'].map((kind) => `${kind} DM_BAD_RESPONSE`),
      ),
    );
    proxy.rewrite = () => undefined;
    const next = await world.sync({ client });
    expect(next.snapshot.state).toBe('complete');
    using fresh = await world.newMirror();
    const first = await world.sync({ mirror: fresh });
    expect(stateOf(world.mirror, next.snapshot.id)).toEqual(stateOf(fresh, first.snapshot.id));
  });

  it('is no page, though a computed one needs no text', async () => {
    await using world = await organizedWorld();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    const { spaces } = world.made;
    const space = spaces['Guide'] ?? '';
    const body = { slug: 'third', source: { text: JSON.stringify(SPECIFICATION) } };
    await world.api.createOpenApiSpec({ path: { organizationId: world.organization }, body });
    await world.platform.settle();
    world.platform.addComputedPage({ space, spec: 'third', title: 'Reference' });
    const isComputed = (answer: unknown): boolean =>
      typeof answer === 'object' && answer !== null && 'computed' in answer;
    proxy.rewrite = ({ path }, said) => (/\/content\/page\//.test(path) && isComputed(said.body) ? ERROR : undefined);
    const { snapshot, failures } = await world.sync({ client });
    expect([snapshot.state, new Set(failures.map(({ kind, code }) => `${kind} ${code}`))]).toEqual([
      'partial',
      new Set(['page DM_BAD_RESPONSE']),
    ]);
    proxy.rewrite = () => undefined;
    expect((await world.sync({ client })).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, `select id from pages where raw like '%Try again later%'`)).toEqual([]);
  });

  it('is no page or file of another id, asked for by its own', async () => {
    await using world = await furnishedWorld();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    const { guide, pages } = world.made;
    proxy.rewrite = ({ path }, { status, body }) =>
      path.endsWith(`/page/${pages['Use'] ?? ''}`) && path.includes(guide)
        ? { status, body: { ...(body as object), id: pages['Home'] } }
        : undefined;
    const { snapshot, failures } = await world.sync({ client });
    expect([snapshot.state, failures[0]?.error]).toEqual([
      'partial',
      `The answer for page ${guide}/${pages['Use'] ?? ''} has the id ${pages['Home'] ?? ''}; expected ${pages['Use'] ?? ''}`,
    ]);
  });

  it.each([
    ['with nothing else', ERROR, /with the error "Try again later"/],
    [
      'with a field more',
      { status: 200, body: { ...ERROR.body, requestId: 'r1' } },
      /answered 200 with an object without id/,
    ],
  ])('is no new address of a file, %s', async (_how, error, words) => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    await importFiles(world, await addSpace(world, 'Files'), { 'README.md': '[data](d.txt)', 'd.txt': 'data' });
    world.platform.faults = [{ operation: 'download', nth: 1, effect: { status: 403 } }];
    proxy.rewrite = ({ path }) => (/\/file\//.test(path) || /\/files\//.test(path) ? error : undefined);
    const { snapshot, failures } = await world.sync({ client });
    expect([snapshot.state, failures[0]?.error]).toEqual(['partial', expect.stringMatching(words) as string]);
  });

  it('is no edit in the middle of a walk, where a space tells of no revision', async () => {
    await using world = await TestWorld.create();
    await using proxy = await rewriting(world);
    const { client } = proxy;
    const space = await addSpace(world, 'Space');
    await edit(world, space, insert('A', 'text'));
    proxy.rewrite = ({ path }) =>
      path.endsWith(`/spaces/${space}`) ? { status: 200, body: { id: space, title: 'Space' } } : undefined;
    const { snapshot, failures } = await world.sync({ client, mode: 'full' });
    expect([snapshot.state, failures.map(({ error }) => error)]).toEqual([
      'partial',
      [expect.stringContaining('its holder told of no revision')],
    ]);
  });
});

const SPECIFICATION = {
  openapi: '3.1.0',
  info: { title: 'Third', version: '1' },
  paths: { '/a': { get: { responses: {} } } },
};
