// The table of contents of a source: `SUMMARY.md`.
import { decodeText } from './decode-text.ts';
import { createMarkdownParser, normalizeText, plainText, type MarkdownToken } from './markdown.ts';

/** One line of the table of contents. `target` is where it leads; a line without one is a page without text. */
export interface SummaryEntry {
  kind: 'group' | 'page';
  title: string;
  target?: string;
  /** A slug that the heading of a group names: `## Title <a href="#slug" id="slug"></a>`. */
  slug?: string;
  entries: SummaryEntry[];
}

/** Two for each level of bullets: more than anybody's pages stand below each other, and few enough for the stack. */
const MOST_NESTING = 1000;

/**
 * Reads a table of contents: a heading of level 2 or more opens a group at the root, a horizontal rule ends it, nested bullets are
 * children, a bullet's first link is where it leads.
 */
export function readSummary(bytes: Buffer): SummaryEntry[] {
  const parser = createMarkdownParser().set({ maxNesting: MOST_NESTING });
  const tokens = parser.parse(normalizeText(decodeText(bytes)), {});
  const root: SummaryEntry[] = [];
  let group = root;
  // The list that each open bullet adds its own bullets to.
  const open: SummaryEntry[][] = [];
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type === 'hr') group = root;
    else if (token.type === 'heading_open' && token.tag !== 'h1') group = addGroup(root, inline);
    else if (token.type === 'list_item_open') open.push(addPage(open.at(-1) ?? group, firstInline(tokens, index)));
    else if (token.type === 'list_item_close') open.pop();
  }
  return root;
}

function addGroup(root: SummaryEntry[], inline: MarkdownToken | undefined): SummaryEntry[] {
  const entry: SummaryEntry = { kind: 'group', title: plainText(inline) || 'Group', entries: [] };
  const [, tag = ''] = /<a(\s[^<>]*)>\s*<\/a>\s*$/.exec(inline?.content ?? '') ?? [];
  const slug = /\bid="([^"]+)"/.exec(tag)?.[1];
  if (slug !== undefined) entry.slug = slug;
  root.push(entry);
  return entry.entries;
}

function addPage(siblings: SummaryEntry[], inline: MarkdownToken | undefined): SummaryEntry[] {
  const children = inline?.children ?? [];
  const link = children.find(({ type }) => type === 'link_open');
  const target = link?.attrGet('href') ?? undefined;
  const entry: SummaryEntry = { kind: 'page', title: linkTitle(children) ?? plainText(inline), entries: [] };
  if (target !== undefined && target !== '') entry.target = String(target);
  siblings.push(entry);
  return entry.entries;
}

/** The text of the first link. */
function linkTitle(children: MarkdownToken[]): string | undefined {
  const start = children.findIndex(({ type }) => type === 'link_open');
  if (start === -1) return undefined;
  const end = children.findIndex(({ type }, index) => index > start && type === 'link_close');
  return children
    .slice(start + 1, end)
    .map((child) => plainText(child))
    .join('')
    .trim();
}

/** The text of a bullet itself, not of the bullets below it. */
function firstInline(tokens: MarkdownToken[], item: number): MarkdownToken | undefined {
  const inline = tokens[item + 2];
  return inline?.type === 'inline' ? inline : undefined;
}
