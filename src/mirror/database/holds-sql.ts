/** SQL that is true for a version or a shared tree, by its alias, that holds at a snapshot: its number, or an expression for it. */
export function holdsAtSql(row: string, at: string | number): string {
  return `${row}.valid_from <= ${at} and (${row}.valid_to is null or ${row}.valid_to > ${at})`;
}
