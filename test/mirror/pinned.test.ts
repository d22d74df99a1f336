import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysWhere, noteDrift, noteFailure, openSnapshot, runQuery } from '../../src/mirror/index.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { collection, takeSnapshot } from '../support/snapshots.ts';
import { rowsOf } from '../support/state.ts';

const NIGHTS = [1, 2, 3];

let made: TestMirror;

/** Each night a collection is found gone, a listing fails, and the platform sends something new; the fourth walk is never sealed. */
beforeAll(async () => {
  made = await createTestMirror();
  const { mirror } = made;
  takeSnapshot(mirror, ({ see }) => {
    for (const night of NIGHTS) see(collection(`c${night}`));
  });
  for (const night of NIGHTS)
    takeSnapshot(mirror, ({ id, bury }) => {
      bury('collection', `c${night}`);
      fail(id);
      for (const seen of NIGHTS.slice(0, night))
        noteDrift({ mirror, id }, 'collection', [{ path: `$.new${seen}`, what: 'field', value: 'x' }]);
    });
  fail(openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' }));
});

afterAll(() => made[Symbol.dispose]());

function fail(id: number): void {
  const told = { request: 'GET /x', status: 500, code: 'DM_HTTP_STATUS', error: 'no' };
  noteFailure({ mirror: made.mirror, id }, { kind: 'page', resource: `s${id}`, ...told });
}

function asked(sql: string, at: number | null): unknown[] {
  return runQuery(made.dataDir, sql, at).rows.flat();
}

describe('mirror/views/pinned-tables', () => {
  it.each([
    ['failures', 'snapshot'],
    ['tombstones', 'snapshot'],
    ['drift', 'first_seen'],
  ])('shows in %s at a snapshot nothing that a later one found: query --at 2 told of all', (name, column) => {
    const sql = `select ${column} from ${name} order by 1`;
    expect([asked(sql, 1), asked(sql, 2), asked(sql, 3)]).toEqual([[], [2], [2, 3]]);
    expect(asked(sql, 4)).toEqual([2, 3, 4]);
    expect(asked(sql, null)).toEqual(rowsOf(made.mirror, sql).map((row) => row[column]));
  });

  it('tells at an earlier snapshot no count of drift, which goes on: query --at 2 said how often it was seen until now', () => {
    const sql = 'select first_seen, times from drift order by 1';
    expect([asked(sql, 3), asked(sql, 4)]).toEqual([
      [2, null, 3, null],
      [2, 3, 3, 2, 4, 1],
    ]);
    expect(asked(sql, null)).toEqual(asked(sql, 4));
  });

  it('tells what failed in a walk that is not sealed, unless a snapshot is named', () => {
    const sql = 'select snapshot from failures order by 1';
    expect(rowsOf(made.mirror, sql).map(({ snapshot }) => snapshot)).toEqual([2, 3, 4, 5]);
  });

  it('has the same columns as the table, and the whole of it as main.tombstones', () => {
    for (const name of ['tombstones', 'drift', 'failures']) {
      const columns = (at: number | null) => runQuery(made.dataDir, `select * from ${name}`, at).columns;
      expect(columns(2), name).toEqual(columns(null));
    }
    expect(asked('select snapshot from main.tombstones order by 1', 2)).toEqual([2, 3, 4]);
  });

  it('lets the condition of a restore ask for what a later snapshot found gone', () => {
    const where = 'id in (select r.id from tombstones join resources r using (rid))';
    expect(keysWhere(made.dataDir, { kind: 'collection', where }, 1)).toEqual(['c1', 'c2', 'c3']);
  });

  it('names a condition that cannot be used: what was said of it was about words of the statement around it', () => {
    const refused = (where: string) => (): unknown => keysWhere(made.dataDir, { kind: 'collection', where }, 1);
    expect(refused('titel = 1')).toThrow(
      'The condition "titel = 1" on collections could not be used: no such column: titel',
    );
    expect(refused('nope(')).toThrow('The condition "nope(" on collections could not be used: ');
  });
});
