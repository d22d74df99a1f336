// The piece of a text that tells best why it was found. The index could cut it, but takes time by the square of how often the words
// stand in a text: half a minute for a common word in one page of 1 MB, and nothing else is answered meanwhile.
import { asIndexed } from '../../base/index.ts';

/** Words as the index compares them; the last of what somebody typed may be the beginning of one. */
export interface Wanted {
  readonly words: readonly string[];
  readonly isLastBegun: boolean;
}

interface Word {
  readonly start: number;
  readonly end: number;
  /** Which of the wanted words it is; -1 for none. */
  readonly which: number;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MOST_WORDS = 24;
const WORDS_BEFORE = 4;
const MOST_LETTERS = 1000;
// So many words are compared, from the first that is wanted on: some milliseconds, however long the text is.
const LOOKED_AT = 4000;

/** A piece of a text, in which the wanted words stand between \u0001 and \u0002; its beginning where it has none of them. */
export function excerptOf(text: string, wanted: Wanted): string {
  const words = wordsFrom(text, wanted);
  const best = bestOf(words, wanted.words.length) - WORDS_BEFORE;
  const first = Math.max(0, Math.min(best, words.length - MOST_WORDS));
  const all = words.slice(first, first + MOST_WORDS);
  const shown = fitting(all);
  const [start, end] = [shown[0]?.start ?? 0, shown.at(-1)?.end ?? 0];
  const before = hasWords(text.slice(0, start)) ? '…' : text.slice(0, start).slice(-MOST_LETTERS);
  return `${before}${marked(text, shown)}${after(text, { start, end, isCut: end !== (all.at(-1)?.end ?? 0) })}`;
}

/** Those of the words that are not too long together, the first that is wanted among them: a picture in letters is one word however long. */
function fitting(words: readonly Word[]): Word[] {
  const kept = [...words];
  while (kept.length > 1 && (kept.at(-1)?.end ?? 0) - (kept[0]?.start ?? 0) > MOST_LETTERS) {
    const isLastWanted = kept.findIndex(({ which }) => which >= 0) === kept.length - 1;
    if (isLastWanted) kept.shift();
    else kept.pop();
  }
  return kept.map((word) => ({ ...word, end: Math.min(word.end, word.start + MOST_LETTERS) }));
}

/** What follows the words that are shown: as much of one that was too long as has room. */
function after(text: string, { start, end, isCut }: { start: number; end: number; isCut: boolean }): string {
  if (isCut) return `${text.slice(end, start + MOST_LETTERS)}…`;
  return hasWords(text.slice(end)) ? '…' : text.slice(end, end + MOST_LETTERS);
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** From some words before the first that is wanted on; the first ones where none is. */
function wordsFrom(text: string, wanted: Wanted): Word[] {
  const whichOf = whichBy(wanted);
  let words: Word[] = [];
  let isFound = false;
  for (const word of wordsIn(text, whichOf)) {
    const isFirst: boolean = !isFound && word.which >= 0;
    isFound ||= isFirst;
    if (isFound && !isFirst && words.length >= LOOKED_AT) return words;
    if (isFirst || words.length >= LOOKED_AT) words = words.slice(-MOST_WORDS);
    words.push(word);
  }
  return isFound ? words : [...wordsIn(text.slice(0, MOST_LETTERS), whichOf)].slice(0, MOST_WORDS);
}

function* wordsIn(text: string, whichOf: (word: string) => number): Iterable<Word> {
  for (const { 0: word, index: start } of text.matchAll(WORD))
    yield { start, end: start + word.length, which: whichOf(word) };
}

function whichBy({ words, isLastBegun }: Wanted): (word: string) => number {
  const folded = words.map(asIndexed);
  const last = isLastBegun ? folded.at(-1) : undefined;
  const places = new Map(folded.map((word, place) => [word, place]));
  return (word) => {
    const own = asIndexed(word);
    const place = places.get(own) ?? -1;
    return place < 0 && last !== undefined && own.startsWith(last) ? folded.length - 1 : place;
  };
}

/** The place from which on most of the wanted words stand; of several that are as good, the first. */
function bestOf(words: readonly Word[], wanted: number): number {
  const width = MOST_WORDS - WORDS_BEFORE;
  const counts = Array.from({ length: wanted }, () => 0);
  const best = { place: 0, score: -1 };
  for (let end = 0; end < words.length + width; end++) {
    count(counts, words[end], 1);
    const start = end - width + 1;
    const score = scoreOf(counts);
    if (start >= 0 && (words[start]?.which ?? -1) >= 0 && score > best.score)
      Object.assign(best, { place: start, score });
    if (start >= 0) count(counts, words[start], -1);
  }
  return best.place;
}

function count(counts: number[], word: Word | undefined, by: number): void {
  if (word !== undefined && word.which >= 0) counts[word.which] = (counts[word.which] ?? 0) + by;
}

/** Another of the words counts for more than the same again. */
function scoreOf(counts: readonly number[]): number {
  return counts.reduce((sum, one) => sum + (one > 0 ? MOST_WORDS : 0) + one, 0);
}

function marked(text: string, shown: readonly Word[]): string {
  const parts: string[] = [];
  let at = shown[0]?.start ?? 0;
  for (const { start, end, which } of shown) {
    const word = text.slice(start, end);
    parts.push(text.slice(at, start), which < 0 ? word : `\u0001${word}\u0002`);
    at = end;
  }
  return parts.join('');
}
