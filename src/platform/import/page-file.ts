import path from 'node:path';
import { readFrontMatter, type PageMetadata } from './front-matter.ts';
import { createMarkdownParser, normalizeText, plainText } from './markdown.ts';

/** One Markdown file as a page that has no place yet. */
export interface PageFile {
  /** Path inside the archive. */
  file: string;
  metadata: PageMetadata;
  text: string;
  heading?: LeadingHeading;
  /** The text of the first heading of level 1, wherever it stands. */
  firstTitle?: string;
  problems: string[];
}

/** A heading of level 1 before anything else: what it shows, what is written, and where the text goes on. */
interface LeadingHeading {
  shown: string;
  written: string;
  end: number;
}

/** Reads front matter and headings of one Markdown file. */
export function readPageFile(file: string, written: string): PageFile {
  const { metadata, text, problems } = readFrontMatter(normalizeText(written));
  return { file, metadata, text, problems, ...readHeadings(text) };
}

/** The title that a file gives itself: front matter, first heading, undefined when it has none. */
export function ownTitle(page: PageFile): string | undefined {
  return page.metadata.title ?? (page.firstTitle === '' ? undefined : page.firstTitle);
}

/** The body under a title: without a leading heading that repeats it. */
export function bodyUnder(page: PageFile, title: string): string {
  const { heading, text } = page;
  if (heading && (heading.shown === title || heading.written === title)) {
    return text.slice(heading.end).replace(/^[ \t]*\n/, '');
  }
  return text.replace(/^(?:[ \t]*\n)+/, '');
}

/** True for the page that stands for its folder: README or index. */
export function isFolderPage(file: string): boolean {
  return /^(?:readme|index)$/i.test(baseName(file));
}

/** The name of a Markdown file without folder and extension. */
export function baseName(file: string): string {
  return path.posix.basename(file).replace(/\.(?:md|markdown|mdx|html?|docx)$/i, '');
}

/** What a file that can become a page is written in; undefined for every other file. */
export function pageFormat(file: string): 'markdown' | 'html' | 'docx' | undefined {
  if (isMarkdown(file)) return 'markdown';
  if (/\.html?$/i.test(file)) return 'html';
  return /\.docx$/i.test(file) ? 'docx' : undefined;
}

/** True for files of Markdown. */
export function isMarkdown(file: string): boolean {
  return /\.(?:md|markdown)$/i.test(file);
}

function readHeadings(text: string): { heading?: LeadingHeading; firstTitle?: string } {
  const parser = createMarkdownParser();
  parser.core.ruler.enableOnly(['normalize', 'block']);
  const tokens = parser.parse(text, {});
  const first = tokens.findIndex(({ type, tag, level }) => type === 'heading_open' && tag === 'h1' && level === 0);
  if (first === -1) return {};
  const content = tokens[first + 1]?.content ?? '';
  parser.core.ruler.enable('inline');
  const shown = plainText(parser.parseInline(content, {})[0]);
  const lines = tokens[first]?.map;
  if (first > 0 || !lines) return { firstTitle: shown };
  const end = offsetOfLine(text, lines[1]);
  return { firstTitle: shown, heading: { shown, written: writtenHeading(text, content), end } };
}

// A platform writes the title after the `#` without escaping it, so the line as written is compared as well.
function writtenHeading(text: string, content: string): string {
  const line = /^#[ \t]+([^\n]*)/.exec(text.trimStart());
  return line?.[1] ?? content;
}

function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let count = 0; count < line; count++) {
    const end = text.indexOf('\n', offset);
    if (end === -1) return text.length;
    offset = end + 1;
  }
  return offset;
}
