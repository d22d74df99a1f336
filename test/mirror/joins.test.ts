// What people join by: the ids that the columns of one view name, and those of another.
import { describe, expect, it } from 'vitest';
import { readMirror } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { rowsOf } from '../support/state.ts';

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
});
