import { isRecord } from '../../base/index.ts';
import { PAGE_FLAGS, PAGE_TEXTS, type PageHead } from '../../contract/index.ts';
import type { ImportedPage } from '../content/imported-content.ts';
import { readYaml } from '../read-yaml.ts';

/** What the head of a Markdown file can say about its page. */
export type PageMetadata = PageHead & Partial<Pick<ImportedPage, 'title' | 'slug' | 'layout' | 'cover'>>;

export interface FrontMatter {
  metadata: PageMetadata;
  /** The text after the front matter. */
  text: string;
  problems: string[];
}

const HEAD = /^---[ \t]*\n([\s\S]*?\n)??---[ \t]*(?:\n|$)/;
const TEXTS = ['title', 'slug', ...PAGE_TEXTS] as const;

/** Splits a normalised text into front matter and the rest. What cannot be read is left out and named in `problems`. */
export function readFrontMatter(text: string): FrontMatter {
  const head = HEAD.exec(text);
  if (!head) return { metadata: {}, text, problems: [] };
  const rest = text.slice(head[0].length);
  const problems: string[] = [];
  const values = parseHead(head[1] ?? '', problems);
  // Two horizontal rules with text between them look the same.
  if (!values) return { metadata: {}, text, problems };
  return {
    metadata: { ...texts(values, problems), ...flags(values, problems), ...looks(values) },
    text: rest,
    problems,
  };
}

/** Undefined when it is no front matter at all; a broken one has no values and a problem. */
function parseHead(yaml: string, problems: string[]): Record<string, unknown> | undefined {
  try {
    const value: unknown = readYaml(yaml, { maxAliases: 20, isLenient: true });
    if (isRecord(value)) return value;
    return value === null || value === undefined ? {} : undefined;
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    problems.push(`the front matter cannot be read: ${reason}`);
    return {};
  }
}

function texts(values: Record<string, unknown>, problems: string[]): PageMetadata {
  const found: PageMetadata = {};
  for (const name of TEXTS) {
    const value = values[name];
    if (value === undefined || value === null || value === '') continue;
    // Space around a plain text is none of it by the rules of YAML; what is quoted was meant, but no title is one with space around.
    if (typeof value === 'string') found[name] = name === 'title' || name === 'slug' ? value.trim() : value;
    else if (typeof value === 'number' || typeof value === 'boolean') found[name] = String(value);
    else problems.push(`front matter: ${name} is not a text`);
  }
  return found;
}

function flags(values: Record<string, unknown>, problems: string[]): PageMetadata {
  const found: PageMetadata = {};
  for (const name of PAGE_FLAGS) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    if (typeof value === 'boolean') found[name] = value;
    else problems.push(`front matter: ${name} is neither true nor false`);
  }
  return found;
}

function looks(values: Record<string, unknown>): PageMetadata {
  const { layout, cover, coverY } = values;
  const found: PageMetadata = {};
  if (isRecord(layout)) found.layout = flatLayout(layout);
  if (isRecord(cover)) found.cover = cover;
  else if (typeof cover === 'string' && cover !== '') {
    const ref = { kind: 'url', url: cover };
    found.cover = typeof coverY === 'number' ? { ref, yPos: coverY } : { ref };
  }
  return found;
}

// In a repository a part of the layout is written `title: {visible: true}`, the size of the cover within `cover`; the API has
// `title: true` and `coverSize`.
function flatLayout(layout: Record<string, unknown>): Record<string, unknown> {
  const flat = Object.fromEntries(Object.entries(layout).map(([name, value]) => [name, visibleOf(value)]));
  const { cover } = layout;
  return isRecord(cover) && cover['size'] !== undefined ? { ...flat, coverSize: cover['size'] } : flat;
}

function visibleOf(value: unknown): unknown {
  return isRecord(value) && typeof value['visible'] === 'boolean' ? value['visible'] : value;
}
