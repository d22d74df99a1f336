import type { Mirror } from '../database/database.ts';

const LARGEST = `select max(size) as size from
  (select max(size) as size from versions where object is not null
   union all select max(size) from shared_entries where object is not null)`;

/** Bytes of the largest file of any snapshot; 0 where there is none. */
export function largestObject({ store }: Pick<Mirror, 'store'>): number {
  return store.prepare<{ size: number | null }>(LARGEST).get()?.size ?? 0;
}
