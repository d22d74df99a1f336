// Counts in words.

/** `1 page`, `12 pages`, `3 entries`. */
export function counted(number: number, word: string): string {
  return `${number} ${number === 1 ? word : plural(word)}`;
}

export function plural(word: string): string {
  if (word.endsWith('y')) return `${word.slice(0, -1)}ies`;
  return word.endsWith('s') ? word : `${word}s`;
}
