import { describe, expect, it } from 'vitest';
import { openSqlite, type SqlStore } from '../../src/base/index.ts';

interface Row {
  readonly n: number;
}

const UP_TO = 'with recursive up(n) as (select 1 union all select n + 1 from up where n < ?) select n from up';

function emptyStore(): SqlStore<Record<string, never>> {
  return openSqlite({ path: ':memory:', name: 'a test', migrations: {} });
}

function upTo(store: SqlStore<Record<string, never>>, last: number): IterableIterator<Row> {
  return store.iterate<Row>(UP_TO, last);
}

/** Leaves a loop over `last` rows at the first of them. */
function firstOf(store: SqlStore<Record<string, never>>, last: number): number | undefined {
  for (const { n } of upTo(store, last)) return n;
  return undefined;
}

describe('base/sqlite', () => {
  it.each(['left', 'called off'])('undoes a transaction in pieces that is %s between two of them', (how) => {
    using store = emptyStore();
    store.driver.exec('create table kept (n integer)');
    const work = store.longTransaction(function* () {
      for (let n = 1; n <= 3; n++) {
        store.prepare('insert into kept values (?)').run(n);
        yield;
      }
    });
    work.next();
    if (how === 'left') work.return();
    else expect(() => work.throw(new Error('enough'))).toThrow('enough');
    expect(store.driver.inTransaction).toBe(false);
    expect(store.prepare('select n from kept').all()).toEqual([]);
  });

  it('reads one text in loops that stand in each other, some left early, some by an error: "This statement is busy executing a query"', () => {
    using store = emptyStore();
    const seen: string[] = [];
    for (const { n: outer } of upTo(store, 3)) {
      firstOf(store, 9);
      expect(() => {
        for (const { n } of upTo(store, 9)) if (n === outer) throw new Error(`left at ${n}`);
      }).toThrow(`left at ${outer}`);
      for (const { n: inner } of upTo(store, 2))
        for (const { n } of upTo(store, inner)) seen.push(`${outer}${inner}${n}`);
    }
    expect(seen).toEqual(['111', '121', '122', '211', '221', '222', '311', '321', '322']);
  });

  it('reads in two loops that go on by turns, each from its own place', () => {
    using store = emptyStore();
    const [one, other] = [upTo(store, 5), upTo(store, 2)];
    const turns = [one, other, one, other, one, other, one].map((loop): unknown => loop.next().value);
    expect(turns).toEqual([{ n: 1 }, { n: 1 }, { n: 2 }, { n: 2 }, { n: 3 }, undefined, { n: 4 }]);
    expect([...one, ...upTo(store, 1)]).toEqual([{ n: 5 }, { n: 1 }]);
  });

  it('writes again after a loop was left early', () => {
    using store = emptyStore();
    store.driver.exec('create table t (n integer)');
    expect(firstOf(store, 3)).toBe(1);
    expect(store.prepare('insert into t values (1)').run().changes).toBe(1);
  });

  it('takes one statement for as many loops as stand in each other, not one for each loop ever begun', () => {
    using store = emptyStore();
    let prepared = 0;
    const { driver } = store;
    const prepare = driver.prepare.bind(driver);
    driver.prepare = ((text: string) => {
      prepared += 1;
      return prepare(text);
    }) as typeof driver.prepare;
    for (let round = 0; round < 50; round++) for (const _row of upTo(store, 3)) firstOf(store, 2);
    expect(prepared).toBe(2);
  });
});
