// A table or view as the data dictionary describes it.

export interface DictionaryRow {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly { readonly name: string; readonly description: string }[];
}

/** SQL for the text of a body, by its plain form where there is one and its number. */
export type TextOf = (plain: string, bid: string) => string;

/**
 * A view about the mirror itself; `sql` gives it for a snapshot: a number, or an SQL expression for one. Bodies are read by `text`,
 * so that one of an old snapshot is read although it was superseded.
 */
export interface ReportView extends DictionaryRow {
  readonly sql: (at: string | number, text: TextOf) => string;
}

/** Tables by name, with what they and their columns hold. */
export type TableNotes = Readonly<Record<string, readonly [about: string, columns: Readonly<Record<string, string>>]>>;
