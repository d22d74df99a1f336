// HTML as Markdown: what a page of it shows, without what surrounds it.
import { createMarkdownParser } from './markdown.ts';
import { createTurndown } from './turndown.ts';

const MOST_DEPTH = 500;
/** Elements that hold nothing, whose end may be left out, or that drawings are made of. */
const FLAT =
  'area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|optgroup|colgroup|' +
  'caption|rp|rt|html|head|body|path|circle|ellipse|rect|line|polyline|polygon|use|stop|image|text|animate';
const NESTING = new RegExp(`</?(?!(?:${FLAT})[\\s/>])[a-z][^\\s/<>]*`, 'gi');

const CHROME = ['nav', 'header', 'footer', 'aside', 'form', 'button'] as const;
const INVISIBLE = ['title', 'script', 'style', 'noscript', 'iframe'] as const;

export interface HtmlPage {
  /** What the head of the document says; empty when it says nothing. */
  title: string;
  markdown: string;
}

/** Reads an HTML document. On pages of a website, navigation, header and footer are left out. */
export function readHtml(html: string, options: { isWebsite: boolean } = { isWebsite: false }): HtmlPage {
  const service = createTurndown();
  service.remove([...INVISIBLE]);
  if (options.isWebsite) service.remove([...CHROME]);
  const shown = options.isWebsite ? mainOf(html) : html;
  if (isTooDeep(shown)) throw new Error(`its elements are nested more than ${MOST_DEPTH} deep`);
  return { title: titleOf(html), markdown: withoutDataImages(service.turndown(shown)) };
}

/** What stands from the first opening of `main` to its last end; all when there is none. */
function mainOf(html: string): string {
  const start = html.search(/<main[\s>]/i);
  const end = [...html.matchAll(/<\/main/gi)].at(-1)?.index ?? -1;
  return start === -1 || end < start ? html : html.slice(start, end);
}

/** By the tags as they are written: what takes a reader seconds is far deeper than this. */
function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [tag] of html.matchAll(NESTING)) {
    depth = Math.max(0, depth + (tag.startsWith('</') ? -1 : 1));
    if (depth > MOST_DEPTH) return true;
  }
  return false;
}

function titleOf(html: string): string {
  const written = /<title[^<>]*>([^<]*)<\/title>/i.exec(html)?.[1] ?? '';
  return createMarkdownParser().utils.unescapeAll(written).replaceAll(/\s+/g, ' ').trim();
}

// Pictures that are written into the document itself would make pages of megabytes.
function withoutDataImages(markdown: string): string {
  return markdown.replaceAll(/!\[([^[\]]*)\]\(data:[^()\s]*\)/g, '$1');
}

/** True for a text that looks like a document of HTML. */
export function looksLikeHtml(text: string): boolean {
  const start = text.slice(0, 1024);
  return /^\uFEFF?\s*(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype html|html|head|body|main|article|section|div|p|h[1-6]|title|meta)\b/i.test(
    start,
  );
}
