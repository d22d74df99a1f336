// The files of one space of the demo: its packages' documents in their folders, a table of contents, and an overview with a picture.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { codeOf, rewriteLinks } from '../../../base/index.ts';
import { resolveTarget } from '../../import/links.ts';
import type { PlannedSpace } from './catalogue.ts';
import { documentPages, escapeTitle, readmeFirst, type DocumentPage, type PageBudget } from './document-pages.ts';
import type { InstalledPackage } from './packages.ts';
import { drawCover } from './cover.ts';

/** Path inside the archive -> content. */
export type SpaceFiles = Map<string, string | Buffer>;

export interface SpaceSource {
  space: PlannedSpace;
  packages: readonly InstalledPackage[];
}

const NOTE = '.platform/includes/note.md';
const COVER = '.platform/assets/cover.svg';
const MOST_WEBSITES = 6;
const IMAGE = /\.(?:png|svg|gif|jpe?g|webp)$/i;

/** Everything that an import needs to make the space. Splits long documents as long as the budget has pages left. */
export async function spaceFiles(source: SpaceSource, budget: PageBudget): Promise<SpaceFiles> {
  const files: SpaceFiles = new Map();
  const lines = ['# Table of contents', '', '* [Overview](README.md)'];
  const isSingle = source.packages.length === 1;
  if (!isSingle) lines.push('', '## Packages');
  for (const installed of source.packages) {
    const pages = await documentPages(installed, budget);
    lines.push(...(isSingle ? groupedLines(pages) : nestedLines(pages)));
    for (const page of pages.flatMap(withChildren)) files.set(page.file, page.text);
    if (source.space.note && pages[0]) files.set(pages[0].file, withNote(pages[0]));
    await addImages(files, installed, pages);
  }
  lines.push('', '## Elsewhere', '', ...source.packages.slice(0, MOST_WEBSITES).flatMap(websiteLine));
  files.set('SUMMARY.md', `${lines.join('\n')}\n`);
  files.set('README.md', overview(source));
  files.set(COVER, drawCover(source.space.title, source.packages.length));
  const { note } = source.space;
  if (note) files.set(NOTE, `---\n${stringify({ title: note.title })}---\n\n${note.text}\n`);
  return files;
}

/** One package: its first page at the root, the others in groups named after their folders. */
function groupedLines(pages: readonly DocumentPage[]): string[] {
  const [main, ...others] = pages;
  const lines = main ? pageLines(main, '') : [];
  for (const group of new Set(others.map((page) => page.group))) {
    lines.push('', `## ${escapeTitle(group)}`, '');
    lines.push(...others.filter((page) => page.group === group).flatMap((page) => pageLines(page, '')));
  }
  return lines;
}

/** One of several packages: all that it has below its first page. */
function nestedLines([main, ...others]: readonly DocumentPage[]): string[] {
  return main ? [...pageLines(main, ''), ...others.flatMap((page) => pageLines(page, '  '))] : [];
}

function pageLines(page: DocumentPage, indent: string): string[] {
  const line = `${indent}* [${escapeTitle(page.title)}](<${page.file}>)`;
  return [line, ...page.children.flatMap((child) => pageLines(child, `${indent}  `))];
}

function withNote({ text }: DocumentPage): string {
  return `${text.trimEnd()}\n\n{% include "/${NOTE}" %}\n`;
}

function withChildren(page: DocumentPage): DocumentPage[] {
  return [page, ...page.children.flatMap(withChildren)];
}

function websiteLine({ name, homepage }: InstalledPackage): string[] {
  return /^https?:\/\/[^\s<>]+$/.test(homepage) ? [`* [${escapeTitle(`Website of ${name}`)}](<${homepage}>)`] : [];
}

/** The images that the pages show, when the package brought them along. */
async function addImages(
  files: SpaceFiles,
  installed: InstalledPackage,
  pages: readonly DocumentPage[],
): Promise<void> {
  const wanted = new Set<string>();
  for (const { file, text } of pages.flatMap(withChildren)) {
    rewriteLinks(text, (target) => {
      const found = resolveTarget(file, target)?.path;
      if (found !== undefined && IMAGE.test(found) && found.startsWith(`${installed.name}/`)) wanted.add(found);
      return undefined;
    });
  }
  for (const file of [...wanted].sort()) {
    const bytes = await readIfThere(path.join(installed.folder, file.slice(installed.name.length + 1)));
    if (bytes) files.set(file, bytes);
  }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    // Packages often leave out the images that their README shows.
    if (['ENOENT', 'EISDIR'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

function overview({ space, packages }: SpaceSource): string {
  const head = {
    description: `What the packages of "${space.title}" are for`,
    emoji: space.emoji,
    layout: { cover: true, coverSize: 'hero', outline: false },
    cover: COVER,
  };
  const rows = packages.map(
    ({ name, version, description, documents }) =>
      `| [${name}](<${name}/${readmeFirst(documents)[0] ?? ''}>) | ${version} | ${description.replaceAll('|', '\\|')} |`,
  );
  const table = ['| Package | Version | What it is |', '|---|---|---|', ...rows].join('\n');
  return `---\n${stringify(head)}---\n\n# Overview\n\n![${space.title}](${COVER})\n\n${table}\n`;
}
