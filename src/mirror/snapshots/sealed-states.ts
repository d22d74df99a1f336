import type { SnapshotState } from '../database/tables.ts';
import { wordsSql } from '../database/words-sql.ts';

/** Of snapshots that were walked to their end: they never change, and are what is shown. */
export const SEALED_STATES = ['complete', 'partial', 'suspect'] as const satisfies readonly SnapshotState[];

/** The same as SQL: `state in ${SEALED}`. */
export const SEALED = `(${wordsSql(SEALED_STATES)})`;
