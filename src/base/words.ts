// Numbers of things in words, the same in what is stored as in what is shown; and letters that tell no words apart.

/** `1 page`, `12 pages`, `3 entries`, with thousands separated. */
export function count(number: number, word: string): string {
  return `${thousands(number)} ${number === 1 ? word : plural(word)}`;
}

/** Whole numbers without `Intl`, which takes some of the time in which a command begins to load. */
export function thousands(number: number): string {
  if (!Number.isSafeInteger(number)) return number.toLocaleString('en-US');
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Of an English noun that follows the rules: `page` to `pages`, `entry` to `entries`. */
export function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return word.endsWith('s') ? word : `${word}s`;
}

/** The first of many names: `a, b and 3 more`. */
export function few(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${thousands(more)} more` : ''}`;
}

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `1.4 MB`; decimal units. */
export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  // From 999.5 on it would be rounded to a thousand of its unit.
  while (value >= (unit === 0 ? 1000 : 999.5) && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[unit] ?? ''}`;
}

/** A letter of a script without spaces between words: nobody can tell where one ends without a dictionary. */
export const UNSPACED_LETTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
