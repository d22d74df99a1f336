import type { SnapshotState } from '../database/tables.ts';
import { wordsSql } from '../database/words-sql.ts';

/** States of snapshots that were walked to their end: these never change, and are what is shown. */
const SEALED_STATES = ['complete', 'partial', 'suspect'] as const satisfies readonly SnapshotState[];

/** The same as SQL: `state in ${SEALED}`. */
export const SEALED = `(${wordsSql(SEALED_STATES)})`;

/** True for complete, partial and suspect: what such a snapshot shows never changes. */
export function isSealed({ state }: { readonly state: SnapshotState }): boolean {
  const sealed: readonly SnapshotState[] = SEALED_STATES;
  return sealed.includes(state);
}
