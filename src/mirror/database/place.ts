// A disk can be unmounted, or a folder moved, below a walk: what is open goes on to be written where it went, while objects and the
// export, which are written by their paths, land in whatever is there now. A walk that went on would seal what it does not have.
import { statSync } from 'node:fs';
import { AppError, guardedStore, PUT_BACK, type SqlStore } from '../../base/index.ts';

/** Gives the store to write through: it refuses with DM_DATA_DIR_UNUSABLE when one of these places is no more what it was when that was opened. */
export function guardPlaces<Tables>(store: SqlStore<Tables>, places: readonly string[]): SqlStore<Tables> {
  const opened = places.map((path) => ({ path, identity: identityOf(path) }));
  return guardedStore(store, {
    before: () => {
      for (const { path, identity } of opened) if (identityOf(path) !== identity) throw movedAway(path);
    },
  });
}

/** Null where there is none. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

function movedAway(path: string): AppError {
  const message = `${path} was taken away, or something else was put there: it is not what this command opened`;
  return new AppError('DM_DATA_DIR_UNUSABLE', message, { hint: PUT_BACK });
}
