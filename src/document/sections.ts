// A text cut at its headings: what the search finds, and what a link with an anchor leads to.
import { createMarkdownParser, readReferences, type MarkdownToken } from '../base/index.ts';

export interface Section {
  /** As a reader sees it; empty for what stands before the first heading. */
  title: string;
  /** What an address names after `#`; empty for what stands before the first heading. */
  anchor: string;
  /** What a reader sees, without markup, one line per block. */
  text: string;
}

// One tag after the other, each to its own end: all that follows would be read once more for every tag and every id in it.
const ANCHORS = /<a\s[^<>]*>/g;
const ID = /\bid="([^"]+)"/;

// Making a parser costs more than reading a page with it; nothing changes it afterwards.
const PARSER = createMarkdownParser();

/** The sections of a text in order; the first is what stands before any heading, so there is always one. */
export function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [{ title: '', anchor: '', text: '' }];
  const taken: Anchors = new Map();
  let inHeading = false;
  for (const token of PARSER.parse(markdown, {})) {
    if (token.type === 'heading_open') inHeading = true;
    else if (token.type === 'heading_close') inHeading = false;
    else if (inHeading && token.type === 'inline') sections.push(openSection(token, taken));
    else addLine(sections, seenText(token));
  }
  return sections;
}

/** Anchors that are given, each with the number at which to look for the next free one made of it. */
type Anchors = Map<string, number>;

function openSection(heading: MarkdownToken, taken: Anchors): Section {
  const title = seenText(heading);
  const wanted = namedAnchor(heading.content) ?? anchorOf(title);
  let number = taken.get(wanted) ?? 0;
  let anchor = wanted;
  while (taken.has(anchor)) anchor = `${wanted}-${++number}`;
  taken.set(wanted, number);
  if (anchor !== wanted) taken.set(anchor, 0);
  return { title, anchor, text: '' };
}

function addLine(sections: readonly Section[], line: string): void {
  const section = sections.at(-1);
  if (section && line !== '') section.text += section.text === '' ? line : `\n${line}`;
}

const LONGEST_OPENING = 1000;

/** The beginning of a section's text, as lists of results show it; never half of a character. */
export function openingOf({ text }: Pick<Section, 'text'>): string {
  if (text.length <= LONGEST_OPENING) return text;
  return `${text.slice(0, LONGEST_OPENING).replace(/\p{Surrogate}$/u, '')}…`;
}

/** The anchor that the markup in a heading gives it: `<a href="#here" id="here"></a>`. */
export function namedAnchor(markup: string): string | undefined {
  return (markup.match(ANCHORS) ?? []).map((tag) => ID.exec(tag)?.[1]).find((id) => id !== undefined);
}

/** The anchor that a heading gets when it names none. */
export function anchorOf(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '');
  return words.trim().replaceAll(/\s+/g, '-') || 'section';
}

function seenText(token: MarkdownToken): string {
  switch (token.type) {
    case 'inline':
      return (token.children ?? []).map(seenInline).join('').replaceAll(BLOCK_TAG, '').trim();
    case 'fence':
    case 'code_block':
      return token.content.trimEnd();
    case 'html_block':
      return readReferences(withoutTags(token.content)).trim();
    default:
      return '';
  }
}

/** Looks for tags only as far as one ends: what is opened many times and never closed would be read to its end each time. */
function withoutTags(html: string): string {
  const end = html.lastIndexOf('>') + 1;
  return html.slice(0, end).replaceAll(/<[^>]*>/g, ' ') + html.slice(end);
}

// An address in a tag may hold a percent sign; at the next tag it ends.
const BLOCK_TAG = /\{%[^%{]*(?:(?:%(?!\})|\{(?!%))[^%{]*)*%\}/g;

function seenInline(token: MarkdownToken): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
  if (token.type === 'html_inline') return '';
  if (token.type === 'image') return (token.children ?? []).map(seenInline).join('');
  return token.content;
}
