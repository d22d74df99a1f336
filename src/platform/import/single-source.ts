// Sources `html` and `docx`: one document at the address.
import type { ImportedContent } from '../content/imported-content.ts';
import { decodeHtml } from './decode-text.ts';
import { pictureEntry, readDocx } from './docx.ts';
import type { FetchedSource } from './fetch-source.ts';
import { looksLikeHtml, readHtml, type HtmlPage } from './html.ts';
import type { ImportLimits } from './limits.ts';
import { rewriteLinks } from './links.ts';
import { lastSegment } from './markdown-source.ts';
import { readPageFile, type PageFile } from './page-file.ts';
import { ImportRefused, notReadable } from './refused.ts';
import { contentOf, withTitle, type SourceFiles } from './source-files.ts';

interface ReadOptions {
  limits: ImportLimits;
  signal?: AbortSignal;
}

/** Reads a downloaded HTML document as one page; its relative links become addresses. Throws ImportRefused for other bytes. */
export async function readHtmlSource(source: FetchedSource, options: ReadOptions): Promise<ImportedContent> {
  const { title, markdown } = convert(source);
  const file = fileNameOf(source.url, '.html');
  const text = rewriteLinks(markdown, (target) => absolute(target, source.url));
  return onePage(withTitle(readPageFile(file, text), title), filesOf(options));
}

function convert({ bytes, charset }: FetchedSource): HtmlPage {
  try {
    const html = decodeHtml(bytes, charset);
    if (looksLikeHtml(html)) return readHtml(html);
  } catch (error) {
    throw notReadable('HTML', error);
  }
  throw notReadable('HTML');
}

/** Reads a downloaded Word document as one page with its pictures. Throws ImportRefused for other bytes. */
export async function readDocxSource(source: FetchedSource, options: ReadOptions): Promise<ImportedContent> {
  const file = fileNameOf(source.url, '.docx');
  try {
    const { markdown, pictures } = await readDocx(source.bytes, { folder: `${file}.files`, limits: options.limits });
    const found = filesOf(options);
    for (const [path, bytes] of pictures) found.entries.set(path, pictureEntry(path, bytes));
    return await onePage(readPageFile(file, markdown), found);
  } catch (error) {
    throw error instanceof ImportRefused ? error : notReadable('a Word document', error);
  }
}

/** An address relative to its page as a whole one; anchors and other schemes stay. */
export function absolute(target: string, base: URL): string | undefined {
  if (target.startsWith('#') || /^[a-z][a-z0-9+.-]*:/i.test(target) || !URL.canParse(target, base.href))
    return undefined;
  return new URL(target, base).href;
}

function onePage(page: PageFile, found: SourceFiles): Promise<ImportedContent> {
  return contentOf(found, new Map([[page.file, page]]), []);
}

function filesOf({ limits, signal }: ReadOptions): SourceFiles {
  return { entries: new Map(), problems: [], notImported: 0, limits, signal };
}

function fileNameOf(url: URL, extension: string): string {
  const name = lastSegment(url);
  return name.toLowerCase().endsWith(extension) ? name : `${name}${extension}`;
}
