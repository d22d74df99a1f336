// The documents of a package as pages: long ones are cut, changelogs become one page for each release line.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { rewriteLinks } from '../../../base/index.ts';
import { ownTitle, readPageFile } from '../../import/page-file.ts';
import { slugOf, titleFromName } from '../../import/slug.ts';
import type { InstalledPackage } from './packages.ts';
import { anchorOf, partName, splitByRelease, splitBySections, type SplitDocument } from './split.ts';

export interface DocumentPage {
  title: string;
  /** Path inside the archive: the package's name, then the path inside the package. */
  file: string;
  text: string;
  /** Where the page belongs when its package has a space of its own. */
  group: string;
  children: DocumentPage[];
}

/** How many pages more may come of cutting documents. */
export interface PageBudget {
  left: number;
}

const LONG_BYTES = 11_000;
const SHORT_BYTES = 700;
const LONGEST_TITLE = 70;
const CHANGELOG = /(?:^|\/)(?:change(?:s|log)|history|release-notes)\.[^/]+$/i;
const README = /^readme\.[^/]+$/i;

/** The pages of a package, its README first. */
export async function documentPages(installed: InstalledPackage, budget: PageBudget): Promise<DocumentPage[]> {
  const pages: DocumentPage[] = [];
  for (const document of readmeFirst(installed.documents)) {
    const bytes = await readFile(path.join(installed.folder, document));
    if (bytes.length < SHORT_BYTES && pages.length > 0) continue;
    pages.push(pageOf(installed, document, { bytes, budget }));
  }
  return pages;
}

/** A title as it can stand in a link of the table of contents. */
export function escapeTitle(title: string): string {
  return title.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

function pageOf(
  installed: InstalledPackage,
  document: string,
  { bytes, budget }: { bytes: Buffer; budget: PageBudget },
): DocumentPage {
  const file = `${installed.name}/${document}`;
  const source = readPageFile(file, bytes.toString('utf8'));
  const isReadme = README.test(document);
  const isChangelog = CHANGELOG.test(document);
  const named = titleFromName(path.posix.basename(document).replace(/\.[^.]+$/, ''));
  const own = ownTitle(source) ?? named;
  const title = isReadme ? installed.name : isChangelog ? 'Changelog' : own.length > LONGEST_TITLE ? named : own;
  const head: Record<string, unknown> = {};
  if (isReadme && installed.description !== '') head['description'] = installed.description;
  if (isReadme) head['slug'] = slugOf(installed.name);
  if (isChangelog) Object.assign(head, { icon: 'clock-rotate-left', noIndex: true });
  const split = splitIfLong(source.text, { isChangelog, budget });
  const children = partPages(file, split);
  const fileOf = new Map(split.parts.map((part, index) => [anchorOf(part.title), children[index]?.file ?? '']));
  for (const child of children) child.text = connectIn(installed, child.text, fileOf);
  return {
    title,
    file,
    text: withHead(head, connectIn(installed, split.lead, fileOf)),
    group: groupOf(document),
    children,
  };
}

function splitIfLong(text: string, options: { isChangelog: boolean; budget: PageBudget }): SplitDocument {
  const whole: SplitDocument = { lead: text, parts: [] };
  if (text.length < LONG_BYTES) return whole;
  const split = options.isChangelog ? splitByRelease(text) : splitBySections(text);
  if (split.parts.length < 2 || split.parts.length > options.budget.left) return whole;
  options.budget.left -= split.parts.length;
  return split;
}

function partPages(file: string, { parts }: SplitDocument): DocumentPage[] {
  const base = file.replace(/\.[^.]+$/, '');
  return parts.map(({ title, text }, index) => {
    const shown = title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title;
    const head = withHead({ slug: slugOf(title) }, `# ${shown}\n\n${text}`);
    return { title: shown, file: partName(base, index, title), text: head, group: '', children: [] };
  });
}

// A link from the root of the package starts below the package's name here; one to a heading may lead to another page now.
function connectIn(installed: InstalledPackage, text: string, fileOf: ReadonlyMap<string, string>): string {
  return rewriteLinks(text, (target) => {
    if (target.startsWith('/') && !target.startsWith('//')) return `</${installed.name}${target}>`;
    const file = target.startsWith('#') ? fileOf.get(target.slice(1)) : undefined;
    return file === undefined ? undefined : `</${file}>`;
  });
}

function withHead(head: Record<string, unknown>, text: string): string {
  return Object.keys(head).length === 0 ? text : `---\n${stringify(head)}---\n\n${text}`;
}

function groupOf(document: string): string {
  if (CHANGELOG.test(document)) return 'Releases';
  const folder = path.posix.basename(path.posix.dirname(document));
  if (folder === '.') return 'Project';
  if (folder === 'docs') return 'Guides';
  return folder === 'api' ? 'API' : titleFromName(folder);
}

/** In the order of their pages; the first one is always among these. */
export function readmeFirst(documents: readonly string[]): string[] {
  return [...documents.filter((file) => README.test(file)), ...documents.filter((file) => !README.test(file))];
}
