// How well a section answers a search, as the platform's index tells it: by BM25, a word in the title counting for many in the text.

/** What is known of all sections that were looked through. */
export interface Corpus {
  sections: number;
  words: number;
  /** For each phrase, the sections that hold it. */
  readonly holding: number[];
}

/** A section that holds some of the phrases. */
export interface Hit {
  /** Its place among the sections of its page. */
  readonly ordinal: number;
  /** How often it holds each phrase, with those of its title weighed. */
  readonly times: readonly number[];
  /** How many words it has. */
  readonly words: number;
}

/** How often a word of a title counts. */
export const TITLE_WEIGHT = 8;

// Where more of the same word counts for little more, and how far long sections are held against that.
const [K1, B] = [1.2, 0.75];
/** Of a word that stands in most sections: it tells nearly nothing, and never speaks against one. */
const LEAST_WORTH = 1e-6;

/** Gives each hit its rank; the higher, the better. */
export function ranking({ sections, words, holding }: Corpus): (hit: Hit) => number {
  const worths = holding.map((held) => {
    const worth = Math.log((sections - held + 0.5) / (held + 0.5));
    return worth > 0 ? worth : LEAST_WORTH;
  });
  const usual = words / sections;
  return (hit) => {
    const length = K1 * (1 - B + (B * hit.words) / usual);
    return hit.times.reduce((sum, times, i) => sum + ((worths[i] ?? 0) * times * (K1 + 1)) / (times + length), 0);
  };
}
