// Finds the exact place of every link target inside one region of a Markdown text, by the rules of CommonMark.
import type { Region } from './link-regions.ts';

/** A link target as it stands in the text: offsets, `<…>` included, and what is written there without the `<>`. */
export interface LinkSpan {
  start: number;
  end: number;
  raw: string;
}

interface Scan {
  text: string;
  end: number;
  spans: LinkSpan[];
  brackets: { isImage: boolean; isActive: boolean }[];
}

const ATTRIBUTE = `\\s+[A-Za-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^"'=<>\`\\s]+|'[^']*'|"[^"]*"))?`;
const OPEN_TAG = new RegExp(`<[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*\\s*/?>`, 'y');
const ONE_ATTRIBUTE = new RegExp(ATTRIBUTE, 'g');
const LINK_ATTRIBUTE = /^(\s+(?:href|src)\s*=\s*["']?)([^"']*)/i;
const OTHER_TAG = /<\/[A-Za-z][^>]*>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<![A-Z][^>]*>|<!\[CDATA\[[\s\S]*?\]\]>/y;
const BLOCK_TAG = /\{%\s*(?:embed|content-ref|file|include)\s[^%\n]*%\}/y;
const BLOCK_TAG_TARGET = /\s(?:(?:url|src)=)?"([^"\n]*)"/g;
const AUTOLINK = /<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/y;
const RAW_TEXT = /<(script|style)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/iy;
const DEFINITION =
  /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*\[(?:[^[\]\\]|\\[^])+\]:[ \t]*\n?[ \t]*(<[^<>\n]*>|[^\s<][^\s]*)/gm;
const ANGLE_TARGET = /<((?:[^<>\n\\]|\\.)*)>/y;
const LINK_END = /(?:\s+(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\)))?\s*\)/y;
const SPACE = /\s*/y;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const MAX_PARENTHESES = 32;

/** The targets of inline links and images, reference definitions, `src` and `href` of HTML tags, and of block tags, in order. */
export function scanRegion(text: string, region: Region): LinkSpan[] {
  const scan: Scan = { text: text.slice(0, region.end), end: region.end, spans: [], brackets: [] };
  switch (region.kind) {
    case 'definitions':
      return definitions(text.slice(region.start, region.end), region.start);
    case 'html':
      for (let at = region.start; at < scan.end;) at = nextHtml(scan, at);
      return scan.spans;
    case 'inline':
      for (let at = region.start; at < scan.end;) at = nextInline(scan, at);
      return scan.spans;
  }
}

function definitions(lines: string, start: number): LinkSpan[] {
  if (!lines.includes(']:')) return [];
  return [...lines.matchAll(DEFINITION)].map((match) => {
    const written = match[1] ?? '';
    const end = start + match.index + match[0].length;
    const raw = written.startsWith('<') ? written.slice(1, -1) : written;
    return { start: end - written.length, end, raw };
  });
}

function nextHtml(scan: Scan, at: number): number {
  if (scan.text[at] !== '<') return at + 1;
  const raw = matchAt(RAW_TEXT, scan.text, at);
  tagLinks(scan, at);
  return at + (raw ?? matchAt(OTHER_TAG, scan.text, at) ?? matchAt(OPEN_TAG, scan.text, at) ?? '<').length;
}

function nextInline(scan: Scan, at: number): number {
  switch (scan.text[at]) {
    case '\\':
      return at + (PUNCTUATION.test(scan.text[at + 1] ?? '') ? 2 : 1);
    case '`':
      return afterCode(scan, at);
    case '<':
      return afterTag(scan, at);
    case '{':
      return afterBlockTag(scan, at);
    case '[':
      scan.brackets.push({ isImage: scan.text[at - 1] === '!' && scan.text[at - 2] !== '\\', isActive: true });
      return at + 1;
    case ']':
      return afterBracket(scan, at);
    default:
      return at + 1;
  }
}

function afterCode(scan: Scan, at: number): number {
  const ticks = matchAt(/`+/y, scan.text, at) ?? '`';
  const closing = new RegExp(`(?<!\`)${ticks}(?!\`)`, 'g');
  closing.lastIndex = at + ticks.length;
  const found = closing.exec(scan.text);
  return found ? found.index + ticks.length : at + ticks.length;
}

function afterTag(scan: Scan, at: number): number {
  const skipped = matchAt(AUTOLINK, scan.text, at) ?? matchAt(OTHER_TAG, scan.text, at);
  if (skipped !== undefined) return at + skipped.length;
  return at + Math.max(tagLinks(scan, at), 1);
}

/** `{% embed url="…" %}` and the like: addresses of the block tags that documents have beyond CommonMark. */
function afterBlockTag(scan: Scan, at: number): number {
  const tag = matchAt(BLOCK_TAG, scan.text, at);
  if (tag === undefined) return at + 1;
  for (const value of tag.matchAll(BLOCK_TAG_TARGET)) {
    const [whole, raw = ''] = value;
    const start = at + value.index + whole.length - raw.length - 1;
    if (raw !== '') scan.spans.push({ start, end: start + raw.length, raw });
  }
  return at + tag.length;
}

/** Adds the `src` and `href` of the tag at `at`; the length of the tag, or 0 when there is none. */
function tagLinks(scan: Scan, at: number): number {
  const tag = matchAt(OPEN_TAG, scan.text, at);
  if (tag === undefined) return 0;
  for (const attribute of tag.matchAll(ONE_ATTRIBUTE)) {
    const [, before = '', raw = ''] = LINK_ATTRIBUTE.exec(attribute[0]) ?? [];
    const start = at + attribute.index + before.length;
    if (raw !== '') scan.spans.push({ start, end: start + raw.length, raw });
  }
  return tag.length;
}

function afterBracket(scan: Scan, at: number): number {
  const opener = scan.brackets.pop();
  const target = opener?.isActive === true && scan.text[at + 1] === '(' ? inlineTarget(scan, at + 2) : undefined;
  if (!opener || !target) return at + 1;
  if (!opener.isImage) {
    // A link holds no other link, so what was opened before it cannot become one.
    for (const bracket of scan.brackets) if (!bracket.isImage) bracket.isActive = false;
  }
  if (target.span.raw !== '') scan.spans.push(target.span);
  return target.next;
}

function inlineTarget(scan: Scan, from: number): { span: LinkSpan; next: number } | undefined {
  const start = from + (matchAt(SPACE, scan.text, from) ?? '').length;
  const angled = matchAt(ANGLE_TARGET, scan.text, start);
  const end = angled === undefined ? bareTargetEnd(scan, start) : start + angled.length;
  const closing = matchAt(LINK_END, scan.text, end);
  if (closing === undefined) return undefined;
  const raw = angled === undefined ? scan.text.slice(start, end) : angled.slice(1, -1);
  return { span: { start, end, raw }, next: end + closing.length };
}

function bareTargetEnd(scan: Scan, start: number): number {
  let depth = 0;
  for (let at = start; at < scan.end; at++) {
    const char = scan.text[at] ?? '';
    if (char === '\\' && PUNCTUATION.test(scan.text[at + 1] ?? '')) at++;
    else if (char <= ' ' || char === '\u007F') return at;
    else if (char === '(' && ++depth > MAX_PARENTHESES) return start;
    else if (char === ')' && --depth < 0) return at;
  }
  return scan.end;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  // Every use of a sticky pattern sets its place first, so sharing the patterns is safe.
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
