// Words as a search knows them.
import { UNSPACED_LETTER } from '../base/index.ts';

const WORD = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;
const UNSPACED = new RegExp(`${UNSPACED_LETTER.source}\\p{M}*`, 'gu');

/** The text with each letter of a script without spaces standing alone, as a word: what is written in one piece is then a phrase. */
export function spacedText(text: string): string {
  return text.replaceAll(UNSPACED, ' $& ');
}

/** What a query asks for: each entry is the words of one piece, which stand one after the other wherever it stands. */
export function queryPhrases(query: string): string[][] {
  return (query.match(WORD) ?? []).map((piece) => spacedText(piece).trim().split(/\s+/));
}
