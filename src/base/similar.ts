// What somebody may have meant who mistyped a word.
import { distance } from 'fastest-levenshtein';

/** How many characters must be added, removed or replaced to turn one text into the other. */
export { distance as editDistance };

const MOST_EDITS = 3;
/** Nobody waits for a whole text that was given for a word. */
const LONGEST_WORD = 100;
/** Less alike, it is a guess. */
const LEAST_ALIKE = 0.4;

/** Said behind what was expected instead of a word, as the commands themselves are suggested; empty where nothing is like it. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (word.length > LONGEST_WORD) return '';
  const rated = known.map((one) => ({ one, edits: distance(word, one) }));
  const near = rated.filter(({ one, edits }) => {
    const length = Math.max(word.length, one.length);
    return edits <= MOST_EDITS && (length - edits) / length > LEAST_ALIKE;
  });
  const fewest = Math.min(...near.map(({ edits }) => edits));
  const meant = near.filter(({ edits }) => edits === fewest).map(({ one }) => one);
  if (meant.length === 0) return '';
  return ` (Did you mean ${meant.length > 1 ? 'one of ' : ''}${meant.join(', ')}?)`;
}
