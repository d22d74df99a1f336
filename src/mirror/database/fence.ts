// The lease is a lock of the operating system, and locks can get lost: the lock file is removed, or lies on a disk of the network
// whose server forgets them while a process stands still. The fence is the second line: each writer gets the next number, which lies
// in the mirror itself, and the store refuses whatever a writer with an older number still sends.
import type Database from 'better-sqlite3';
import { AppError, guardedStore, type SqlStore } from '../../base/index.ts';

/** Written one statement at a time; everything else is written in transactions, which look at the number when they begin. */
const OUTSIDE = ['snapshots', 'pins', 'accepted', 'drills', 'restores', 'restore_steps'] as const;

/**
 * Makes this connection the writer, and every earlier one a reader: what it changes from now on throws DM_LEASE_LOST. Gives the store
 * to write through.
 */
export function raiseFence<Tables>(store: SqlStore<Tables>): SqlStore<Tables> {
  const { driver } = store;
  const number = nextNumber(driver);
  const refuse = (): never => {
    throw new AppError('DM_LEASE_LOST', `The mirror has a newer writer than this one, which is number ${number}`, {
      hint: 'Another process took the data directory meanwhile. Run the same command again when it is done.',
    });
  };
  const newest = driver.prepare<[], { value: string }>(`select value from meta where name = 'writer'`);
  guardTables(driver, number, refuse);
  return guardedStore(store, {
    within: () => {
      if (newest.get()?.value !== String(number)) refuse();
    },
  });
}

/** Temporary triggers belong to the connection: its number is known to no other. Ten microseconds for a row, so not for every table. */
function guardTables(driver: Database.Database, number: number, refuse: () => never): void {
  driver.function('docmirror_fenced', refuse);
  const triggers = OUTSIDE.flatMap((table) =>
    ['insert', 'update', 'delete'].map(
      (change) => `create temp trigger fence_${table}_${change} before ${change} on main.${table}
        when (select value from main.meta where name = 'writer') is not '${number}' begin select docmirror_fenced(); end`,
    ),
  );
  driver.exec(triggers.join(';\n'));
}

function nextNumber(driver: Database.Database): number {
  const next = driver.prepare<[], { value: string }>(
    `insert into meta (name, value) values ('writer', '1')
     on conflict (name) do update set value = cast(value as integer) + 1 returning value`,
  );
  // Stepped to its end, which is where it is committed: a full disk shows there, and a single get would hide it.
  return Number(next.all()[0]?.value);
}
