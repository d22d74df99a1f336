/** A text with its percent encoding resolved; as it is where that is none, such as with a lone percent sign in a name. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
