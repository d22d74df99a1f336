// What moves or goes in one night many times: the mirror is asked for each of them, and not for all of them each time.
import { describe, expect, it } from 'vitest';
import {
  clearReadMarks,
  currentOf,
  failedBelow,
  membersNotRead,
  noteFailure,
  openSnapshot,
  setReadMark,
  type Mirror,
} from '../../src/mirror/index.ts';
import { addSpace } from '../support/content.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

interface Answering {
  readonly mirror: Mirror;
  rows: number;
}

/** The mirror, with every row counted that it answers a list of. */
function answering({ store, ...mirror }: Mirror): Answering {
  const prepare: Mirror['store']['prepare'] = (sql) => {
    const statement = store.prepare<never>(sql);
    return new Proxy(statement, {
      get: (_, name) => {
        const own: unknown = Reflect.get(statement, name);
        if (typeof own !== 'function') return own;
        return (...values: unknown[]): unknown => {
          const answer: unknown = own.apply(statement, values);
          if (Array.isArray(answer)) counted.rows += answer.length;
          return answer;
        };
      },
    });
  };
  const counted: Answering = { rows: 0, mirror: { ...mirror, store: { ...store, prepare } } };
  return counted;
}

/** How many rows a walk looks at after half of so many custom fields have gone, with their values. */
async function rowsFor(fields: number): Promise<number> {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  const spaceId = await addSpace(world, 'Guide');
  const names = Array.from({ length: fields }, (_, index) => `field-${index}`);
  for (const name of names) await world.api.createCustomField({ path, body: { name, type: 'text' } });
  const values = Object.fromEntries(names.map((name) => [name, { value: 'ready' }]));
  await world.api.updateCustomFieldValues({ path: { spaceId }, body: { values } });
  await world.sync();
  for (const fieldName of names.slice(fields / 2)) await world.api.deleteCustomField({ path: { ...path, fieldName } });
  const counted = answering(world.mirror);
  const { kinds } = await world.sync({ mirror: counted.mirror });
  expect(kinds['custom-field-value']).toMatchObject({ gone: fields / 2 });
  return counted.rows;
}

/** The same after half of so many spaces have gone, each of which had a place on one site. */
async function rowsForPlaces(spaces: number): Promise<number> {
  await using world = await TestWorld.create();
  const path = { organizationId: world.organization };
  const { id: siteId } = await world.api.createSite({ path, body: { title: 'Docs', spaces: [] } });
  const made: string[] = [];
  for (let number = 0; number < spaces; number++) made.push(await addSpace(world, `Space ${number}`));
  for (const spaceId of made) await world.api.createSiteSpace({ path: { ...path, siteId }, body: { spaceId } });
  await world.sync();
  for (const spaceId of made.slice(spaces / 2)) await world.api.deleteSpace({ path: { spaceId } });
  const counted = answering(world.mirror);
  const { kinds } = await world.sync({ mirror: counted.mirror });
  expect(kinds['site-space']).toMatchObject({ gone: spaces / 2 });
  return counted.rows;
}

describe('walker, many at once', () => {
  it('looks for the values of a custom field that has gone among its own: 600 of 3,000 in ten spaces took 56 s', async () => {
    const [few, many] = [await rowsFor(4), await rowsFor(16)];
    // Some for each field: were all values looked at for each of them, these were 129 more.
    expect(many - few).toBeLessThan(60);
  });

  it('looks for the place of a space that has gone among those that are missing: 800 of 4,000 took 7 s', async () => {
    const [few, many] = [await rowsForPlaces(4), await rowsForPlaces(12)];
    // Some for each space: were all places looked at for each of them, these were 46 more.
    expect(many - few).toBeLessThan(110);
  });

  it('looks for what failed below a tree there alone: 4,000 pages of 1,000 spaces that could not be read took 2 s more', async () => {
    using made = await createTestMirror();
    const { store } = made.mirror;
    const asked: string[] = [];
    const prepare: Mirror['store']['prepare'] = (sql) => {
      asked.push(sql);
      return store.prepare(sql);
    };
    const mirror = { ...made.mirror, store: { ...store, prepare } };
    const open = { mirror, id: openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' }) };
    const failure = { request: '', status: 500, code: 'DM_HTTP_STATUS', error: '' };
    for (const resource of ['s/p', 's', 's-1/p', 's0/p', 's1', 's/p/d', 't/s'])
      noteFailure(open, { ...failure, kind: 'page', resource });
    noteFailure(open, { ...failure, kind: 'file', resource: 's/f' });
    const found = failedBelow(open, ['page'], 's').map(({ resource }) => resource);
    expect(found).toEqual(['s/p', 's', 's/p/d']);
    const plan = rowsOf(mirror, `explain query plan ${asked.at(-1)}`, { snapshot: 1, prefix: 's' });
    expect(plan.map(({ detail }) => detail).filter((detail) => String(detail).includes('requests_failed'))).toEqual([
      expect.stringContaining('(snapshot=? AND resource=?)'),
      expect.stringContaining('(snapshot=? AND resource>? AND resource<?)'),
    ]);
  });

  it('goes through the members whose rights are to be read once, however many places moved: 300 spaces of 600 people took 12 s more', async () => {
    await using world = await TestWorld.create();
    const { organization, platform, mirror } = world;
    for (const role of ['edit', 'review', null] as const)
      platform.createUser({ displayName: `${role}`, email: `${role}@example.com`, organization, role });
    await addSpace(world, 'Guide');
    const { snapshot } = await world.sync();
    const left = (): string[] =>
      membersNotRead({ mirror, id: snapshot.id + 1 }, organization).map(({ params }) => params['userId'] ?? '');
    const [first = '', second = '', ...others] = left();
    const ridOf = (user: string): number => currentOf(mirror, 'member', `${organization}/${user}`)?.rid ?? 0;
    // The guest is shown no space, and there is nothing to be read.
    expect(others).toHaveLength(1);
    clearReadMarks(mirror, ridOf(first), 'space-member');
    setReadMark({ mirror, id: snapshot.id + 1 }, { scope: ridOf(second), kind: 'space-member', mark: '' });
    expect(left()).toEqual(others);
  });
});
