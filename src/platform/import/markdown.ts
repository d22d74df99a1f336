// What the import room needs to know of Markdown.
import type { MarkdownToken } from '../../base/index.ts';

export { createMarkdownParser, type MarkdownToken } from '../../base/index.ts';

/** Text with every line ending as a line feed and without a byte order mark. */
export function normalizeText(text: string): string {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  return text.slice(start).replaceAll(/\r\n?/g, '\n');
}

/** What a reader sees of an inline token: text and code, without markup; images give their description. */
export function plainText(token: MarkdownToken | undefined): string {
  if (!token) return '';
  const children = token.children;
  if (!children) return token.content;
  return children.map(plainInline).join('').trim();
}

function plainInline(token: MarkdownToken): string {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      return ' ';
    case 'html_inline':
      return '';
    case 'image':
      return plainText(token);
    default:
      return token.content;
  }
}
