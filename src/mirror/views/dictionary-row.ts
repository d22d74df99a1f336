// A table or view as the data dictionary describes it.
import type { BodySql } from '../bodies/stored-text.ts';

export interface DictionaryRow {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly { readonly name: string; readonly description: string }[];
}

/**
 * A view about the mirror itself; `sql` gives it for a snapshot: a number, or an SQL expression for one. Bodies are read by `bodies`,
 * so that one of an old snapshot is read although it was superseded.
 */
export interface ReportView extends DictionaryRow {
  readonly sql: (at: string | number, bodies: BodySql) => string;
}

/** Tables by name, with what they and their columns hold. */
export type TableNotes = Readonly<Record<string, readonly [about: string, columns: Readonly<Record<string, string>>]>>;
