import type { Pieces } from '../../base/index.ts';
import type { Mirror } from './database.ts';

/** Has all pieces read the mirror as it is at the first of them, whatever another process seals, forgets or frees meanwhile. */
export function* atOneInstant<T>({ store }: Pick<Mirror, 'store'>, work: Pieces<T>): Pieces<T> {
  if (store.driver.inTransaction) return yield* work;
  store.driver.exec('begin');
  try {
    return yield* work;
  } finally {
    if (store.driver.inTransaction) store.driver.exec('rollback');
  }
}
