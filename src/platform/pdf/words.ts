// Where a line may be broken.

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const NOT_FIRST = /^[\s、。，．！？）」』】〉》：；ー…・\u0E30-\u0E4E)\].,!?:;]/u;
const NOT_LAST = /[（「『【〈《([]$/u;
const BREAKS = /(?<=\s)(?=\S)|(?<=[^\s/][-/?&=])(?=[\p{L}\d])/u;

/** Texts that stay on one line, each with the blanks behind it: words, and parts of addresses. */
export function wordsOf(text: string): string[] {
  return text.split(BREAKS).flatMap((word) => (WIDE.test(word) ? partsOf(word) : [word]));
}

/** Scripts that put no blanks between words. */
function partsOf(word: string): string[] {
  const parts: string[] = [];
  for (const { segment } of new Intl.Segmenter('und', { granularity: 'word' }).segment(word)) {
    const before = parts.at(-1);
    const mayBreak = before !== undefined && (WIDE.test(before) || WIDE.test(segment));
    if (mayBreak && !NOT_FIRST.test(segment) && !NOT_LAST.test(before)) parts.push(segment);
    else parts.splice(-1, 1, `${before ?? ''}${segment}`);
  }
  return parts;
}
