// Mentions in comments: a restored comment must not call the people whom the original called long ago.

// The API document does not say how a mention is written in Markdown. What platforms take for one is an at sign before a name at
// the beginning of a word; it is left alone in code, addresses, and the tags of blocks. What follows the sign then shows nothing.
const SEPARATOR = '\u2060';
const FENCED = String.raw`^[ \t>]*(?<fence>\x60{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t>]*\k<fence>[\x60~]*[ \t]*$|(?![\s\S]))`;
const SPAN = String.raw`(?<ticks>(?<!\x60)\x60+)(?!\x60)[\s\S]*?(?<!\x60)\k<ticks>(?!\x60)`;
const BLOCK_TAG = String.raw`\{%[^%\n]*%\}`;
const MENTION = String.raw`(?<![\p{L}\p{N}_.+/@:=%&#-])@(?=[\p{L}\p{N}_])`;
const PATTERN = `${FENCED}|${SPAN}|${BLOCK_TAG}|${MENTION}`;

/** The text with a sign that shows nothing after the at sign of every mention; doing it again changes nothing. */
export function defuseMentions(markdown: string): string {
  return markdown.replaceAll(new RegExp(PATTERN, 'gmu'), (found) => (found === '@' ? `@${SEPARATOR}` : found));
}

/** The text as it was before its mentions were defused. */
export function withMentions(markdown: string): string {
  return markdown.replaceAll(new RegExp(`@${SEPARATOR}(?=[\\p{L}\\p{N}_])`, 'gu'), '@');
}

/** True when a text mentions somebody. */
export function mentions(markdown: string): boolean {
  return defuseMentions(markdown) !== markdown;
}
