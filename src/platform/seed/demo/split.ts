// Long documents become a page and pages below it, as an author would have cut them.
import { createMarkdownParser, isRecord } from '../../../base/index.ts';
import { normalizeText, plainText } from '../../import/markdown.ts';
import { slugOf } from '../../import/slug.ts';

/** A piece of a document: what stood under one heading of level 2, or under the versions of one release line. */
export interface Part {
  title: string;
  text: string;
}

export interface SplitDocument {
  /** What stood before the first part. */
  lead: string;
  parts: Part[];
}

interface Section {
  title: string;
  start: number;
  end: number;
}

const SHORTEST = 500;

/** Cuts a document at its headings of level 2; short sections stay with the one before. */
export function splitBySections(source: string): SplitDocument {
  const text = normalizeText(source);
  const found = sections(text);
  const parts: Part[] = [];
  for (const { title, start, end } of found) {
    const section = text.slice(start, end);
    const last = parts.at(-1);
    if (last && section.length < SHORTEST) last.text += section;
    else parts.push({ title, text: withoutHeading(section) });
  }
  return { lead: text.slice(0, found[0]?.start ?? text.length), parts: withDefinitions(text, parts) };
}

/** Cuts a changelog into one part for each major release. */
export function splitByRelease(source: string): SplitDocument {
  const text = normalizeText(source);
  const found = sections(text);
  const lines = new Map<string, string[]>();
  for (const { title, start, end } of found) {
    const major = /(\d+)\.\d+/.exec(title)?.[1];
    const line = major === undefined ? 'Other changes' : `Version ${major}`;
    lines.set(line, [...(lines.get(line) ?? []), text.slice(start, end)]);
  }
  const parts = [...lines].map(([title, pieces]) => ({ title, text: pieces.join('') }));
  return { lead: text.slice(0, found[0]?.start ?? text.length), parts: withDefinitions(text, parts) };
}

/** The anchor that readers of the document's home give a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** A file name for a part, after those before it. */
export function partName(base: string, index: number, title: string): string {
  return `${base}--${String(index + 1).padStart(2, '0')}-${slugOf(title)}.md`;
}

function sections(text: string): Section[] {
  const parser = createMarkdownParser();
  const offsets = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const found: Section[] = [];
  const tokens = parser.parse(text, {});
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open' || token.tag !== 'h2' || token.level !== 0 || !token.map) continue;
    const start = offsets[token.map[0]] ?? text.length;
    const last = found.at(-1);
    if (last) last.end = start;
    found.push({ title: plainText(tokens[index + 1]) || 'Section', start, end: text.length });
  }
  return found;
}

function withoutHeading(section: string): string {
  const isUnderlined = /^[^\n]*\n-+[ \t]*(?:\n|$)/.test(section);
  return section.replace(isUnderlined ? /^[^\n]*\n[^\n]*\n?/ : /^[^\n]*\n?/, '').replace(/^\n+/, '');
}

// Reference definitions usually stand at the end of the document; each part takes those along that it uses.
function withDefinitions(text: string, parts: Part[]): Part[] {
  const env = {};
  createMarkdownParser().parse(text, env);
  const definitions = Object.entries(referencesOf(env)).flatMap(([label, reference]) => {
    const href = isRecord(reference) ? String(reference['href']) : '';
    return href === '' ? [] : [{ used: `[${label.toLowerCase()}]`, line: `[${label.toLowerCase()}]: <${href}>` }];
  });
  return parts.map((part) => {
    const shown = part.text.toLowerCase();
    const missing = definitions.filter(({ used }) => shown.includes(used) && !shown.includes(`${used}:`));
    const extra = missing.map(({ line }) => line).join('\n');
    return extra === '' ? part : { ...part, text: `${part.text.trimEnd()}\n\n${extra}\n` };
  });
}

/** Where the parser leaves the definitions that it met, by label. */
function referencesOf(env: { references?: unknown }): Record<string, unknown> {
  return isRecord(env.references) ? env.references : {};
}
