// What somebody may have meant who mistyped a word.

const MOST_EDITS = 3;
/** Less alike, it is a guess. */
const LEAST_ALIKE = 0.4;

/** Said behind what was expected instead of a word, as the commands themselves are suggested; empty where nothing is like it. */
export function didYouMean(word: string, known: readonly string[]): string {
  const rated = known.map((one) => ({ one, edits: editsBetween(word, one) }));
  const near = rated.filter(({ one, edits }) => {
    const length = Math.max(word.length, one.length);
    return edits <= MOST_EDITS && (length - edits) / length > LEAST_ALIKE;
  });
  const fewest = Math.min(...near.map(({ edits }) => edits));
  const meant = near.filter(({ edits }) => edits === fewest).map(({ one }) => one);
  if (meant.length === 0) return '';
  return ` (Did you mean ${meant.length > 1 ? 'one of ' : ''}${meant.join(', ')}?)`;
}

/** How many letters were left out, put in, mistaken or swapped with the next one. */
function editsBetween(a: string, b: string): number {
  // As many as the longer has letters at most: nobody waits for a whole text that was given for a word.
  if (Math.abs(a.length - b.length) > MOST_EDITS) return Math.max(a.length, b.length);
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1), swapped));
    }
  }
  return at(a.length, b.length);
}
