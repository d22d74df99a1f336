// HTML as Markdown: what a page of it shows, without what surrounds it.
import { createRequire } from 'node:module';
import TurndownService from 'turndown';
import { createMarkdownParser } from './markdown.ts';

// The package brings no types.
const require = createRequire(import.meta.url);
/** Tables, strikethrough and task lists. */
const { gfm } = require('@joplin/turndown-plugin-gfm') as { gfm: TurndownService.Plugin };

const CHROME = ['nav', 'header', 'footer', 'aside', 'form', 'button'] as const;
const INVISIBLE = ['title', 'script', 'style', 'noscript', 'iframe'] as const;

export interface HtmlPage {
  /** What the head of the document says; empty when it says nothing. */
  title: string;
  markdown: string;
}

/** Reads an HTML document. On pages of a website, navigation, header and footer are left out. */
export function readHtml(html: string, options: { isWebsite: boolean } = { isWebsite: false }): HtmlPage {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  service.use(gfm);
  service.remove([...INVISIBLE]);
  if (options.isWebsite) service.remove([...CHROME]);
  const main = options.isWebsite ? /<main[\s>][^]*<\/main\s*>/i.exec(html)?.[0] : undefined;
  return { title: titleOf(html), markdown: withoutDataImages(service.turndown(main ?? html)) };
}

function titleOf(html: string): string {
  const written = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1] ?? '';
  return createMarkdownParser().utils.unescapeAll(written).replaceAll(/\s+/g, ' ').trim();
}

// Pictures that are written into the document itself would make pages of megabytes.
function withoutDataImages(markdown: string): string {
  return markdown.replaceAll(/!\[([^\]]*)\]\(data:[^)]*\)/g, '$1');
}

/** True for bytes that look like a document of HTML. */
export function looksLikeHtml(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 1024).toString('utf8');
  return /^\uFEFF?\s*(?:<!--[^]*?-->\s*)*<(?:!doctype html|html|head|body|main|article|section|div|p|h[1-6]|title|meta)\b/i.test(
    start,
  );
}
