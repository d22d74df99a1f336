// Puts the Markdown files of a source in their places: first as its table of contents says, then the others by folder.
import path from 'node:path';
import type { ImportedPage, ImportProblem } from '../content/imported-content.ts';
import { resolveTarget } from './links.ts';
import { baseName, bodyUnder, isFolderPage, ownTitle, type PageFile } from './page-file.ts';
import { chosenSlug, slugOf, titleFromName, uniqueSlug } from './slug.ts';
import type { SummaryEntry } from './summary.ts';

export interface PageTree {
  pages: ImportedPage[];
  /** The page of each file and, below the name of the folder, the page that stands for it. */
  pageOf: Map<string, ImportedPage>;
  /** Lines of the table of contents that led nowhere. */
  problems: ImportProblem[];
}

interface Place {
  path: string;
  pages: ImportedPage[];
}

interface Build extends PageTree {
  files: ReadonlyMap<string, PageFile>;
  root: Place;
  taken: Map<string, Set<string>>;
  links: { link: ImportedPage; parent: Place }[];
}

/** The tree of pages; bodies still have the links of the source. The table of contents stands beside the top files. */
export function buildPageTree(files: ReadonlyMap<string, PageFile>, summary: readonly SummaryEntry[]): PageTree {
  const pages: ImportedPage[] = [];
  const build: Build = {
    files,
    root: { path: '', pages },
    pages,
    pageOf: new Map(),
    problems: [],
    taken: new Map(),
    links: [],
  };
  for (const entry of summary) addEntry(build, build.root, entry);
  for (const file of sortedByFolder([...files.keys()])) {
    if (!build.pageOf.has(file)) addByFolder(build, file);
  }
  for (const { link, parent } of build.links) Object.assign(link, addressIn(build, parent, link.slug));
  return build;
}

const MARKDOWN_FILE = /^(?![a-z][a-z0-9+.-]+:|\/\/)[^?#]*\.(?:md|markdown)(?:[?#]|$)/i;

function addEntry(build: Build, parent: Place, entry: SummaryEntry): void {
  const page = pageOfEntry(build, parent, entry);
  // Nothing stands below a link.
  const below = page === undefined || page.type === 'link' ? parent : page;
  for (const child of entry.entries) addEntry(build, below, child);
}

/** The page that a line of the table of contents makes; undefined when it leads nowhere or to a page that has its place. */
function pageOfEntry(build: Build, parent: Place, entry: SummaryEntry): ImportedPage | undefined {
  const { target, title } = entry;
  if (entry.kind === 'group') {
    const slug = entry.slug === undefined ? slugOf(title) : chosenSlug(entry.slug);
    return place(build, parent, { type: 'group', title, slug });
  }
  if (target === undefined) return title === '' ? undefined : addEmpty(build, parent, title);
  const found = resolveTarget('SUMMARY.md', target)?.path ?? '';
  const file = build.files.get(found);
  // People link to mail, telephones, programs and places of their own sites, too: only a page is missing without its file.
  if (!file && !MARKDOWN_FILE.test(target)) {
    return place(build, parent, { type: 'link', title: title || target, slug: slugOf(title), href: target });
  }
  if (!file) build.problems.push({ resource: target, reason: 'the table of contents names it, but it is not there' });
  if (!file || build.pageOf.has(found)) return undefined;
  return addFile(build, file, { parent, title });
}

function addEmpty(build: Build, parent: Place, title: string): ImportedPage {
  return place(build, parent, { type: 'document', title, slug: slugOf(title), body: '' });
}

function addFile(build: Build, page: PageFile, { parent, title }: { parent: Place; title: string }): ImportedPage {
  const shown = title || (ownTitle(page) ?? titleFromName(nameOf(page.file)));
  const { slug, title: _title, ...metadata } = page.metadata;
  const imported = place(build, parent, {
    type: 'document',
    title: shown,
    slug: slug === undefined ? slugOf(slugSource(page.file, shown)) : chosenSlug(slug),
    ...metadata,
    body: bodyUnder(page, shown),
  });
  build.pageOf.set(page.file, imported);
  if (isFolderPage(page.file)) build.pageOf.set(folderOf(page.file), imported);
  return imported;
}

function addByFolder(build: Build, file: string): void {
  const page = build.files.get(file);
  if (!page || build.pageOf.has(file)) return;
  const folder = folderOf(file);
  const isFolder = isFolderPage(file) && !build.pageOf.has(folder);
  const parent = isFolder ? parentOfFolder(build, folder) : placeOfFolder(build, folder);
  addFile(build, page, { parent, title: '' });
}

function parentOfFolder(build: Build, folder: string): Place {
  return folder === '' ? build.root : placeOfFolder(build, folderOf(folder));
}

/** Where the pages of a folder belong: below the page of the folder, which is made when no file stands for it. */
function placeOfFolder(build: Build, folder: string): Place {
  if (folder === '') return build.root;
  const known = build.pageOf.get(folder);
  if (known) return known;
  const made = addEmpty(build, parentOfFolder(build, folder), titleFromName(path.posix.basename(folder)));
  build.pageOf.set(folder, made);
  return made;
}

function place(build: Build, parent: Place, page: Omit<ImportedPage, 'path' | 'pages'>): ImportedPage {
  const isLink = page.type === 'link';
  const address = isLink ? { slug: page.slug, path: '' } : addressIn(build, parent, page.slug);
  const placed: ImportedPage = { ...page, ...address, pages: [] };
  parent.pages.push(placed);
  // No answer tells the address of a link, so it keeps none from what has one that shows: links get theirs last.
  if (isLink) build.links.push({ link: placed, parent });
  return placed;
}

/** One that nothing else there has. */
function addressIn(build: Build, parent: Place, wanted: string): Pick<ImportedPage, 'slug' | 'path'> {
  const taken = build.taken.get(parent.path) ?? new Set();
  build.taken.set(parent.path, taken);
  const slug = uniqueSlug(wanted, taken);
  return { slug, path: parent.path === '' ? slug : `${parent.path}/${slug}` };
}

function slugSource(file: string, title: string): string {
  if (!isFolderPage(file)) return baseName(file);
  const folder = folderOf(file);
  return folder === '' ? title : path.posix.basename(folder);
}

function nameOf(file: string): string {
  const folder = folderOf(file);
  return isFolderPage(file) && folder !== '' ? path.posix.basename(folder) : baseName(file);
}

function folderOf(file: string): string {
  const folder = path.posix.dirname(file);
  return folder === '.' ? '' : folder;
}

// A folder stands among the files beside it, under its own name; its README comes before what is in it.
function sortedByFolder(files: string[]): string[] {
  const key = (file: string): string =>
    file
      .split('/')
      .map((part, index, parts) => (index === parts.length - 1 && isFolderPage(part) ? '' : part))
      .join('\u0000');
  const keyed = files.map((file) => ({ file, key: key(file) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.file < b.file ? -1 : 1));
  return keyed.map(({ file }) => file);
}
