// A disk can be unmounted, or a folder moved, below a walk: what is open goes on to be written where it went, while objects and the
// export, which are written by their paths, land in whatever is there now. A walk that went on would seal what it does not have.
import { statSync } from 'node:fs';
import { AppError, guardedStore, PUT_BACK, type SqlStore } from '../../base/index.ts';

/** Gives the store to write through: it refuses with DM_DATA_DIR_UNUSABLE when its file is no more where it was opened. */
export function guardPlace<Tables>(store: SqlStore<Tables>, path: string): SqlStore<Tables> {
  const opened = identityOf(path);
  return guardedStore(store, {
    before: () => {
      if (identityOf(path) !== opened) throw movedAway(path);
    },
  });
}

/** Null where there is none. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

function movedAway(path: string): AppError {
  return new AppError('DM_DATA_DIR_UNUSABLE', `${path} is not the file that this command opened: it was taken away`, {
    hint: PUT_BACK,
  });
}
