// The one Markdown parser. Addresses are kept as written: who reads a text decides what they mean.
import MarkdownIt, { type Token } from 'markdown-it';

// Making a parser costs more than reading a page with it; nothing changes it afterwards.
const PLAIN = new MarkdownIt();

type MarkdownParser = InstanceType<typeof MarkdownIt>;
export type MarkdownToken = Token;

/** Text of HTML with its references read, such as `&#x3C;`: a stroke before a sign stands for itself there. */
export function readReferences(html: string): string {
  return html.includes('&') ? PLAIN.utils.unescapeAll(html.replaceAll('\\', String.raw`\\`)) : html;
}

/** A CommonMark parser with tables and raw HTML that neither refuses nor re-encodes addresses. */
export function createMarkdownParser(): MarkdownParser {
  const parser = new MarkdownIt({ html: true });
  parser.validateLink = () => true;
  parser.normalizeLink = (url) => url;
  return parser;
}
