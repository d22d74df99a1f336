// What people join by: the ids that the columns of one view name, and those of another.
import { describe, expect, it } from 'vitest';
import { kindNames, kindOf, ownParameter } from '../../src/contract/index.ts';
import { readMirror, recipeOf, runQuery } from '../../src/mirror/index.ts';
import { addCollection, addSpace } from '../support/content.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

function planOf({ dataDir, mirror }: TestMirror, sql: string): string {
  using reading = readMirror({ dataDir, clock: mirror.clock });
  const details = rowsOf(reading, `explain query plan ${sql}`).map(({ detail }) => detail);
  return details.join('\n');
}

describe('a join by an id', () => {
  it.each([
    'select p.title from comments c join pages p on p.id = c.page',
    'select q.title from pages p join pages q on q.id = p.parent',
    'select p.title from pages_search f join pages p on p.space = f.space and p.id = f.id',
    'select o.title from pages_history n join pages_history o on o.space = n.space and o.id = n.id and o.valid_to = n.valid_from',
  ])('finds each row by an index: it went through all pages for each of them (%s)', async (sql) => {
    using made = await createTestMirror();
    expect(planOf(made, sql)).toContain('USING INDEX resources_id (id=?)');
  });

  it.each([
    'select p.title, count(c.id) from pages p left join comments c on c.page = p.id group by p.id',
    'select c.id, count(r.id) from comments c left join comment_replies r on r.comment = c.id group by c.id',
    'select f.name from files f left join pages p on p.file = f.id where p.id is null',
    'select s.title from spaces s left join site_spaces x on x.space = s.id where x.id is null',
  ])(
    'counts by it what there is of each, none too: it went through all on the right for each on the left (%s)',
    async (sql) => {
      using made = await createTestMirror();
      const plan = planOf(made, sql);
      expect(plan).toMatch(/USING AUTOMATIC COVERING INDEX \(\w+=\?\)/);
      // Sorting some is faster than to go through the ids of all kinds for their order.
      expect(plan).not.toContain('SCAN r USING INDEX resources_id');
    },
  );

  it('finds the pages below one in its space: each page was asked for the one that it stands below', async () => {
    using made = await createTestMirror();
    const below = `select p.id, (select count(*) from pages c where c.parent = p.id) from pages p where p.space = 's'`;
    const tree = `with recursive tree (id, depth) as (select id, 0 from pages where parent is null
      union all select p.id, depth + 1 from tree t join pages p on p.parent = t.id) select max(depth) from tree`;
    for (const sql of [below, tree])
      expect(planOf(made, sql)).toContain('SEARCH above USING INDEX resources_id (id=?)');
  });

  it('finds whatever has an id of its own: files of change requests showed their whole path in its place', async () => {
    using made = await createTestMirror();
    const withId = kindNames.filter((kind) => kindOf(kind).id === 'id');
    takeSnapshot(made.mirror, ({ see }) => {
      for (const kind of kindNames) {
        const params = Object.fromEntries(kindOf(kind).params.map((one) => [one, `${kind}:${one}`]));
        see({ kind, params, body: { id: params[ownParameter(kind)] } });
      }
    });
    const lost = withId.filter((kind) => {
      const { view } = kindOf(kind);
      return rowsOf(made.mirror, `select 1 from ${view} where id = ?`, `${kind}:${ownParameter(kind)}`).length !== 1;
    });
    expect(lost).toEqual([]);
    expect(withId.length).toBeGreaterThan(20);
  });
});

describe('the data dictionary', () => {
  it('names the field that a column is joined with: no specification has the id that its versions named', async () => {
    using made = await createTestMirror();
    const note = (table: string, column: string): unknown =>
      rowsOf(made.mirror, 'select description from docs_columns where table_name = ? and name = ?', table, column)[0];
    expect(note('openapi_spec_versions', 'spec')).toEqual({ description: 'slug of its spec' });
    expect(note('custom_field_values', 'custom_field')).toEqual({ description: 'name of its custom-field' });
    expect(note('pages', 'space')).toEqual({ description: 'id of its space' });
  });
});

describe('the columns of a view', () => {
  it('say where that is which they do not show: a page showed null as its document and its pages, without a word', async () => {
    using made = await createTestMirror();
    const sql = `select table_name || '.' || name as told from docs_columns
      where name in ('document', 'pages') and description like 'always null: %'`;
    const told = rowsOf(made.mirror, sql).map((row) => String(row['told']));
    const both = ['pages', 'change_request_pages'].flatMap((view) => [`${view}.document`, `${view}.pages`]);
    const columns = [...both, 'revisions.pages', 'change_request_revisions.pages'];
    const ofHistory = columns.map((column) => column.replace('.', '_history.'));
    expect(told.toSorted()).toEqual([...columns, ...ofHistory].toSorted());
  });

  it('tell what a member is in a team, which stood in the raw JSON alone', async () => {
    using made = await createTestMirror();
    takeSnapshot(made.mirror, ({ see }) => {
      const params = { organizationId: 'o', userId: 'u', teamId: 't' };
      see({ kind: 'team-membership', params, body: { team: { id: 't' }, member: { role: 'owner' } } });
    });
    expect(rowsOf(made.mirror, 'select member, team, member_role from team_memberships')).toEqual([
      { member: 'u', team: 't', member_role: 'owner' },
    ]);
  });
});

describe('dangling-references', () => {
  it('names nothing at a snapshot before a transfer: the organization that came later was said to be lacking there', async () => {
    await using world = await TestWorld.create();
    const collectionId = await addCollection(world, 'Shelf');
    await addSpace(world, 'Guide', collectionId);
    await world.sync();
    const organization = world.platform.createOrganization({ title: 'Elsewhere' });
    await world.api.transferCollection({ path: { collectionId }, body: { organization } });
    const { snapshot } = await world.sync();
    const sql = recipeOf('dangling-references')?.sql ?? '';
    expect([1, snapshot.id].map((at) => runQuery(world.dataDir, sql, at).rows)).toEqual([[], []]);
  });
});
