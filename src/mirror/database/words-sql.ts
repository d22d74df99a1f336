/** SQL for a list of our own words, as `in` takes it. */
export function wordsSql(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}
