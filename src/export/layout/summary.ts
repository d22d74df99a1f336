// SUMMARY.md, the table of contents of a space: what an import reads the order, the nesting and the titles from.
import { depthFirst } from '../../base/index.ts';
import { ENTITY, linkDestination, relativeLink } from './links.ts';
import { filePath, type PageNode } from './page-tree.ts';

export const SUMMARY = 'SUMMARY.md';

/** Where a link page leads, as it is written; null for nowhere. */
export type Follow = (node: PageNode) => string | null;

/** The table of contents of the pages that are kept. A page whose parent is left out stands below the nearest one that is not. */
export function summaryText(roots: readonly PageNode[], follow: Follow = toAddress): string {
  const lines = ['# Table of contents', ''];
  let inGroup = false;
  for (const node of roots) {
    if (node.type === 'group') {
      if (node.kept) lines.push(...(lines.at(-1) === '' ? [] : ['']), groupHeading(node), '');
      inGroup ||= node.kept;
      add(lines, bullets(node.children, follow));
      continue;
    }
    const own = bullets([node], follow);
    // A rule ends a group; without it the page would be read as one of the group's.
    if (inGroup && own.length > 0) {
      lines.push(...(lines.at(-1) === '' ? [] : ['']), '---', '');
      inGroup = false;
    }
    add(lines, own);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** One by one: a call takes only so many arguments, and below one page there may be more. */
function add(lines: string[], more: readonly string[]): void {
  for (const line of more) lines.push(line);
}

// Neither means anything to Markdown nor ends a line.
const PLAIN = /^[a-z0-9 .,:;?()-]*$/i;

/** A title on one line, as it stands in headings; half a character, which no file can hold, is what a file has in its place. */
export function oneLine(title: string): string {
  if (PLAIN.test(title)) return title.trim();
  return title
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** Text that Markdown shows as it is. */
export function escapeMarkdown(text: string): string {
  if (PLAIN.test(text)) return text.trim();
  return oneLine(text)
    .replaceAll(/[\\`*[\]<>~]/g, String.raw`\$&`)
    .replaceAll(ENTITY, String.raw`\&`)
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replaceAll(/(?<=^|\s)#/g, String.raw`\#`);
}

/** Not every import knows an anchor in a heading: it names a slug only that no reader would make of the title. */
function groupHeading({ slug, title }: PageNode): string {
  const isNamed = slug !== null && slug !== plainSlug(title) && /^[\p{L}\p{N}\p{M}._~-]+$/u.test(slug);
  return `## ${escapeMarkdown(title)}${isNamed ? ` <a href="#${slug}" id="${slug}"></a>` : ''}`;
}

/** The slug that everybody makes of a title in plain words; null for any other. */
function plainSlug(title: string): string | null {
  return /^[a-z0-9]+(?: [a-z0-9]+)*$/i.test(title) ? title.toLowerCase().replaceAll(' ', '-') : null;
}

function bullets(roots: readonly PageNode[], follow: Follow): string[] {
  const depths = new Map<PageNode, number>();
  return depthFirst(roots, ({ children }) => children).flatMap((node) => {
    const depth = depths.get(node) ?? 0;
    for (const child of node.children) depths.set(child, node.kept ? depth + 1 : depth);
    return node.kept ? [`${'  '.repeat(depth)}* ${entry(node, follow)}`] : [];
  });
}

function toAddress({ href }: PageNode): string | null {
  return href === null ? null : linkDestination(href);
}

function entry(node: PageNode, follow: Follow): string {
  const title = escapeMarkdown(node.title);
  switch (node.type) {
    case 'document':
      return `[${title}](${relativeLink(SUMMARY, filePath(node))})`;
    case 'group':
      return `[${title}]()`;
    case 'link': {
      const target = follow(node);
      // Without an address it is named for readers only: an import would make an empty page of it.
      return target === null ? `<!-- ${title.replaceAll('--', '- -')} -->` : `[${title}](${target})`;
    }
  }
}
