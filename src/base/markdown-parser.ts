// The one Markdown parser. Addresses are kept as written: who reads a text decides what they mean.
import MarkdownIt, { type Token } from 'markdown-it';

type MarkdownParser = InstanceType<typeof MarkdownIt>;
export type MarkdownToken = Token;

/** A CommonMark parser with tables and raw HTML that neither refuses nor re-encodes addresses. */
export function createMarkdownParser(): MarkdownParser {
  const parser = new MarkdownIt({ html: true });
  parser.validateLink = () => true;
  parser.normalizeLink = (url) => url;
  return parser;
}
