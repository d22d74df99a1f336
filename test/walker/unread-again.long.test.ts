// What could not be read of a tree that is then read once more.
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/index.ts';
import { ApiError, type ApiClient } from '../../src/client/index.ts';
import type { WalkResult } from '../../src/walker/index.ts';
import { addSpace, edit, importFiles, insert, pagesOf, PNG } from '../support/content.ts';
import { forecast } from '../support/forecast.ts';
import { TestWorld } from '../support/world.ts';

type Read = 'page' | 'page-document' | 'file';

/** What a call of the client reads of the page. */
function readBy(operation: string, input: unknown, page: string): Read | undefined {
  if (operation === 'download') return 'file';
  const asked = JSON.stringify(input ?? null);
  if (operation !== 'getPage' || !asked.includes(page)) return undefined;
  return asked.includes('"document"') ? 'page-document' : 'page';
}

function refusal(operation: string): ApiError {
  const facts = { status: 422, method: 'GET', target: 'somewhere', attempts: 1, retryable: false, sent: true };
  return new ApiError('DM_HTTP_STATUS', { what: 'was refused', hint: 'Ask again.' }, { ...facts, operation });
}

describe('walker/visits/content', () => {
  it.each<Read>(['page', 'page-document', 'file'])(
    'asks for a %s that was refused once more when the tree moved meanwhile, and is partial while it is',
    async (what) => {
      await using world = await TestWorld.create();
      const space = await addSpace(world, 'Space');
      await importFiles(world, space, { 'README.md': '# Readme\n\n![](dot.png)', 'dot.png': PNG });
      await edit(world, space, insert('A', 'old'), insert('B', 'old'));
      const { A = '', B = '' } = await pagesOf(world, space);
      const settings = { lanes: 1, documents: true };
      expect((await world.sync({ settings })).snapshot.state).toBe('complete');
      let refused = 0;
      let moved = false;
      const client = world.hooked(async (operation, input) => {
        if (!moved && readBy(operation, input, A) === 'page') {
          moved = true;
          await edit(world, space, { type: 'update_page', page: A, document: { markdown: '# A\n\nnew' } });
        }
        if (readBy(operation, input, B) !== what) return;
        refused += 1;
        throw refusal(operation);
      });
      const { snapshot, failures } = await world.sync({ client, mode: 'full', settings });
      expect([moved, snapshot.state]).toEqual([true, 'partial']);
      expect(failures.map(({ kind }) => kind)).toContain(what);
      expect(refused).toBeGreaterThan(1);
      expect((await world.sync({ settings })).snapshot.state).toBe('complete');
    },
  );

  it.each<Read>(['page', 'page-document', 'file'])(
    'asks for a %s that a full walk could not read until it was read: the next night was complete without having asked',
    async (what) => {
      await using world = await TestWorld.create();
      const space = await addSpace(world, 'Space');
      await importFiles(world, space, { 'README.md': '# Readme\n\n![](dot.png)', 'dot.png': PNG });
      await edit(world, space, insert('A', 'old'), insert('B', 'old'));
      const { B = '' } = await pagesOf(world, space);
      const settings = { lanes: 1, documents: true };
      await world.sync({ settings });
      let refused = 0;
      const refusing = world.hooked((operation, input) => {
        if (readBy(operation, input, B) !== what) return Promise.resolve();
        refused += 1;
        return Promise.reject(refusal(operation));
      });
      const full = await world.sync({ client: refusing, mode: 'full', settings });
      const nextNight = await world.sync({ client: refusing, settings });
      expect([full.snapshot.state, nextNight.snapshot.state, refused]).toEqual(['partial', 'partial', 2]);
      expect(nextNight.failures.map(({ kind }) => kind)).toEqual([what]);
      const { ifNothingChanged } = forecast(world, { settings });
      const read = await world.sync({ settings });
      expect([read.snapshot.state, read.snapshot.requests]).toEqual(['complete', ifNothingChanged]);
      // What was as it was held is no news.
      expect(Object.values(read.kinds).filter(({ changed, added }) => changed + added > 0)).toEqual([]);
    },
  );

  it.each([
    ['a budget ended the walk', 'none', { maxRequests: 3 }],
    ['a budget ended the walk when it had read the tree', 'none', { maxRequests: 12 }],
    ['the tree that lists it could not be read', 'getRevision', {}],
  ] as const)(
    'asks for a page that a full walk could not read after a night in which %s: that night forgot it, and the next was complete',
    async (_why, refused, settings) => {
      await using world = await TestWorld.create();
      const space = await addSpace(world, 'Space');
      await edit(world, space, insert('A', 'old'), insert('B', 'old'), insert('C', 'old'));
      const { B = '', C = '' } = await pagesOf(world, space);
      await world.sync();
      const refusing = (...what: readonly string[]): ApiClient =>
        world.hooked((operation, input) =>
          what.some((one) => one === operation || (operation === 'getPage' && JSON.stringify(input).includes(one)))
            ? Promise.reject(refusal(operation))
            : Promise.resolve(),
        );
      const pages = ({ failures }: WalkResult): [string, string | undefined][] =>
        failures
          .filter(({ kind, resource }) => kind === 'page' && !resource.endsWith('/*'))
          .map(({ resource, error }) => [resource, /since snapshot \d+$/.exec(error)?.[0]]);
      await world.sync({ client: refusing(B, C), mode: 'full' });
      const between = await world.sync({ client: refusing(B, C, refused), settings });
      const missed = [B, C].map((page) => [`${space}/${page}`, 'since snapshot 2'] as const);
      expect([between.snapshot.state, new Map(pages(between))]).toEqual(['partial', new Map(missed)]);
      // What is read beside what still fails is not said to be unread.
      const next = await world.sync({ client: refusing(C), settings: { maxRequests: 1000 } });
      expect([next.snapshot.state, pages(next)]).toEqual(['partial', [[`${space}/${C}`, undefined]]]);
      expect((await world.sync()).snapshot.state).toBe('complete');
    },
  );

  it('lacks no page of an organization that is walked no more', async () => {
    await using world = await TestWorld.create();
    const organization = world.platform.createOrganization({ title: 'Other' });
    const space = await addSpace({ api: world.api, organization }, 'Space');
    await edit(world, space, insert('A', 'old'));
    await world.sync();
    world.platform.faults = [{ operation: 'getPage', effect: { status: 422 } }];
    expect((await world.sync({ mode: 'full' })).failures.map(({ kind }) => kind)).toEqual(['page']);
    const scope = { organizations: [world.organization], onlySpaces: null, extraSpaces: [] };
    expect((await world.sync({ scope })).failures).toEqual([]);
  });

  it('asks for a page after a walk of pages alone that a budget ended, where a file of that tree is unread too', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Space');
    await importFiles(world, space, { 'README.md': '# Readme\n\n![](dot.png)', 'dot.png': PNG });
    const { Readme = '' } = await pagesOf(world, space);
    await world.sync();
    world.platform.faults = [
      { operation: 'getPage', effect: { status: 422 } },
      { operation: 'download', effect: { status: 422 } },
    ];
    await world.sync({ mode: 'full' });
    const scope = { organizations: null, onlySpaces: null, extraSpaces: [], kinds: ['page'] as const };
    const { failures } = await world.sync({ scope, settings: { maxRequests: 5 } });
    expect(failures.map(({ resource }) => resource)).toContain(`${space}/${Readme}`);
  });

  it('does not say that a page is unread which a walk has read, where the revision could not be compared after it', async () => {
    await using world = await TestWorld.create();
    const space = await addSpace(world, 'Space');
    await edit(world, space, insert('A', 'old'));
    await world.sync();
    world.platform.faults = [{ operation: 'getPage', effect: { status: 422 } }];
    await world.sync({ mode: 'full' });
    world.platform.faults = [{ operation: 'getSpace', effect: { status: 422 } }];
    expect((await world.sync()).failures.map(({ kind }) => kind)).toEqual(['revision']);
  });

  it.each([[['C']], [[]]])(
    'does not say that a page is unread which a walk has read before it was cut off, where %j still fail',
    async (failing) => {
      await using world = await TestWorld.create();
      const space = await addSpace(world, 'Space');
      await edit(world, space, insert('A', 'old'), insert('B', 'old'), insert('C', 'old'));
      const pages = await pagesOf(world, space);
      const still = failing.map((title) => pages[title] ?? '');
      await world.sync();
      let isCut = false;
      const refusing = (...ids: readonly string[]): ApiClient =>
        world.hooked((operation, input) => {
          if (isCut && operation === 'getSpace') throw new AppError('DM_DISK_FULL', 'cut off', { hint: '' });
          const isRefused = operation === 'getPage' && ids.some((page) => JSON.stringify(input).includes(page));
          if (isRefused) throw refusal(operation);
        });
      await world.sync({ client: refusing(pages['B'] ?? '', pages['C'] ?? ''), mode: 'full' });
      isCut = true;
      await expect(world.sync({ client: refusing(...still) })).rejects.toThrow('cut off');
      isCut = false;
      const { snapshot, failures } = await world.sync({ client: refusing(...still) });
      const told = failures.map(({ resource }) => resource);
      expect([snapshot.id, told]).toEqual([3, still.map((page) => `${space}/${page}`)]);
    },
  );
});
