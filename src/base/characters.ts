// What a reader takes for one character each, of a text of any length.
import { lazy } from './lazy.ts';

/** To make the first one takes a tenth of the time in which a command begins. */
const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

// The time that a segmenter takes grows with the square of a text's length: minutes for one page of 100,000 characters.
const WINDOW = 256;

/** Each whole; one alone that is longer than the window comes in parts. */
export function* charactersOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const from = start;
    const isPair = (text.codePointAt(from + WINDOW - 1) ?? 0) > 0xff_ff;
    const window = text.slice(from, from + WINDOW + (isPair ? 1 : 0));
    const isLast = from + window.length >= text.length;
    for (const { segment, index } of segmenter().segment(window)) {
      // The last one of a window may go on in the next.
      if (!isLast && index > 0 && index + segment.length === window.length) break;
      start = from + index + segment.length;
      yield segment;
    }
  }
}
