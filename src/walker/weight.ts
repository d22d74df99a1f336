// What an answer takes in memory while it waits to be taken in.

// Of a value, beside what it holds; bytes.
const VALUE = 32;

/**
 * Bytes of an answer of the platform as JSON.parse made it, about. Infinite for what holds more than plain values, such as the bytes
 * of a large list: that waits for nothing.
 */
export function weightOf(answer: unknown): number {
  if (typeof answer === 'string') return VALUE + answer.length;
  if (typeof answer !== 'object' || answer === null) return VALUE;
  if (Array.isArray(answer)) return answer.reduce<number>((sum, item) => sum + weightOf(item), VALUE);
  if (!isPlain(answer)) return Infinity;
  return Object.values(answer).reduce<number>((sum, value) => sum + weightOf(value), VALUE);
}

function isPlain(value: object): boolean {
  const made = Object.getPrototypeOf(value) as unknown;
  return made === Object.prototype || made === null;
}
