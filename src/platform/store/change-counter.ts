import type { Db } from '../context.ts';

/** Rises whenever a row of the database was written, whoever wrote it and by whichever connection; cheap enough for each request. */
export function changeCounter(db: Db): () => number {
  const own = db.driver.prepare<[], number>('select total_changes()').pluck();
  if (db.driver.memory) return () => own.get() ?? 0;
  const foreign = db.driver.prepare<[], number>('pragma data_version').pluck();
  return () => (own.get() ?? 0) + (foreign.get() ?? 0);
}
