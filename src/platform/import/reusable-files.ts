// Markdown files that are no pages but texts that pages include.
import type { ImportedReusableContent } from '../content/imported-content.ts';
import { resolveTarget } from './links.ts';
import { baseName, isMarkdown, ownTitle, type PageFile } from './page-file.ts';
import { titleFromName } from './slug.ts';
import type { SummaryEntry } from './summary.ts';

/** `includes/` at the top, or inside a hidden folder (`.platform/includes/`), whatever platform gave the folder its name. */
const FOLDER = /^includes\/|(?:^|\/)\.[^/]+\/includes\//;

/** True for a file whose place says that pages include it. */
export function isReusableFile(file: string): boolean {
  return FOLDER.test(file) && isMarkdown(file) && !/(?:^|\/)(?:\._[^/]*$|__MACOSX\/)/.test(file);
}

/** Tells pages from reusable contents. A file that the table of contents names is a page, wherever it stands. */
export function splitReusable(
  files: ReadonlyMap<string, PageFile>,
  summary: readonly SummaryEntry[],
): { pages: Map<string, PageFile>; reusable: Map<string, ImportedReusableContent> } {
  const named = new Set(targetsIn(summary));
  const pages = new Map<string, PageFile>();
  const reusable = new Map<string, ImportedReusableContent>();
  for (const [file, page] of files) {
    if (!isReusableFile(file) || named.has(file)) pages.set(file, page);
    else reusable.set(file, reusableContent(page, `r${reusable.size + 1}`));
  }
  return { pages, reusable };
}

function* targetsIn(entries: readonly SummaryEntry[]): Generator<string> {
  for (const { target, entries: inner } of entries) {
    const found = target === undefined ? undefined : resolveTarget('SUMMARY.md', target);
    if (found) yield found.path;
    yield* targetsIn(inner);
  }
}

// Its title is not shown where it is included, so a heading that gave it stays in the text.
function reusableContent(page: PageFile, key: string): ImportedReusableContent {
  const title = ownTitle(page) ?? titleFromName(baseName(page.file));
  return { key, title, body: page.text.replace(/^(?:[ \t]*\n)+/, '') };
}
