// Source `website`: a page, and the pages of the same site below its path that it links to.
import type { ImportedContent } from '../content/imported-content.ts';
import { decodeHtml } from './decode-text.ts';
import { fetchSource, type FetchedSource, type SourceRequest } from './fetch-source.ts';
import { looksLikeHtml, readHtml } from './html.ts';
import { rewriteLinks } from './links.ts';
import { readPageFile, type PageFile } from './page-file.ts';
import { ImportRefused } from './refused.ts';
import { absolute } from './single-source.ts';
import { contentOf, withTitle, type SourceFiles } from './source-files.ts';

const MOST_PAGES = 20;
// No `<` inside: a page of nothing but openings would be read again from each of them.
const LINK = /<a\s[^<>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;
const OTHER_FILES = /\.(?!html?$|php$|aspx?$)[a-z0-9]{2,5}$/i;

/** Reads the page at the address and up to 20 more; throws ImportRefused when the first one cannot be read. */
export async function readWebsite(request: SourceRequest): Promise<ImportedContent> {
  const start = await startPage(request);
  const found: SourceFiles = {
    entries: new Map(),
    problems: [],
    notImported: 0,
    limits: request.limits,
    signal: request.signal,
  };
  const linked = linksBelow(start);
  const pages = new Map([[start.url.href, start]]);
  // One limit of size and of time for the whole site.
  const end = request.clock.monotonic() + request.limits.timeoutMs;
  for (const url of linked.slice(0, MOST_PAGES)) {
    const used = [...pages.values()].reduce((sum, { size }) => sum + size, 0);
    const left = { downloadBytes: request.limits.downloadBytes - used, timeoutMs: end - request.clock.monotonic() };
    if (left.downloadBytes <= 0 || left.timeoutMs <= 0) skip(found, url, 'the limit of the import is used up');
    else await addPage(found, pages, { ...request, url, limits: { ...request.limits, ...left } });
  }
  for (const url of linked.slice(MOST_PAGES)) skip(found, url, `only ${MOST_PAGES} pages of a website are imported`);
  return contentOf(found, pageFiles(found, start.url, pages), []);
}

/** A page as it was fetched; `size` is its bytes. */
interface SitePage {
  url: URL;
  html: string;
  size: number;
}

function pageOf({ url, bytes, charset }: FetchedSource): SitePage {
  const html = decodeHtml(bytes, charset);
  if (!looksLikeHtml(html)) throw new Error('it is not a page of HTML');
  return { url, html, size: bytes.length };
}

async function startPage(request: SourceRequest): Promise<SitePage> {
  const source = await fetchSource(request);
  try {
    return pageOf(source);
  } catch (error) {
    throw new ImportRefused(`url: what it answers is not a page of a website: ${reasonOf(error)}`, {
      hint: 'Give the address of a page of HTML.',
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function addPage(found: SourceFiles, pages: Map<string, SitePage>, request: SourceRequest): Promise<void> {
  try {
    pages.set(request.url, pageOf(await fetchSource(request)));
  } catch (error) {
    request.signal?.throwIfAborted();
    skip(found, request.url, reasonOf(error));
  }
}

function skip(found: SourceFiles, resource: string, reason: string): void {
  found.problems.push({ resource, reason });
  found.notImported++;
}

/** Addresses of pages below the folder of the start page, in the order in which it names them. */
function linksBelow(start: SitePage): string[] {
  const folder = folderOf(start.url);
  const found = new Set<string>();
  for (const [, double, single, bare] of start.html.matchAll(LINK)) {
    const written = double ?? single ?? bare ?? '';
    if (!URL.canParse(written, start.url.href)) continue;
    const url = new URL(written, start.url);
    url.hash = '';
    const isBelow = url.origin === start.url.origin && url.pathname.startsWith(folder);
    if (isBelow && !OTHER_FILES.test(url.pathname) && url.href !== start.url.href) found.add(url.href);
  }
  return [...found];
}

function folderOf(url: URL): string {
  const isFile = /\.[a-z0-9]+$/i.test(url.pathname);
  return isFile ? url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1) : url.pathname.replace(/\/?$/, '/');
}

/** The pages as files of a folder, so that links between them find each other. */
function pageFiles(found: SourceFiles, start: URL, pages: ReadonlyMap<string, SitePage>): Map<string, PageFile> {
  const names = new Map([...pages.keys()].map((url) => [url, fileOf(start, new URL(url))]));
  const files = new Map<string, PageFile>();
  for (const [url, page] of pages) {
    const file = names.get(url) ?? 'index.html';
    try {
      const { title, markdown } = readHtml(page.html, { isWebsite: true });
      const text = rewriteLinks(markdown, (target) => linkTo(target, page.url, names));
      files.set(file, withTitle(readPageFile(file, text), title));
    } catch (error) {
      skip(found, url, reasonOf(error));
    }
  }
  if (files.size === 0) throw unreadable();
  return files;
}

function unreadable(): ImportRefused {
  return new ImportRefused('url: none of what it answers can be read as a page of a website', {
    hint: 'Give the address of another page, or import the text as Markdown.',
  });
}

function linkTo(target: string, from: URL, names: ReadonlyMap<string, string>): string | undefined {
  const whole = absolute(target, from) ?? target;
  if (!URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  const { hash } = url;
  url.hash = '';
  const file = names.get(url.href);
  return file === undefined ? whole : `/${encodeURI(file)}${hash}`;
}

function fileOf(start: URL, url: URL): string {
  if (url.href === start.href) return 'index.html';
  const below =
    url.pathname.slice(folderOf(start).length).replaceAll(/(?<!\/)\/+$/g, '') + url.search.replaceAll(/[?/]/g, '-');
  const name = readable(below).replaceAll(/\/{2,}/g, '/') || 'start';
  return /\.html?$/i.test(name) ? name : `${name}.html`;
}

// Addresses that people write may hold a percent sign that encodes nothing.
function readable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
