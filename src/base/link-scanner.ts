// Finds the exact place of every link target inside one region of a Markdown text, by the rules of CommonMark.
import { groupBy } from './group-by.ts';
import { addressesOfTag, OPEN_TAG } from './link-attributes.ts';
import type { Region } from './link-regions.ts';

/** A link target as it stands in the text: offsets, `<…>` included, and what is written there without the `<>`. */
export interface LinkSpan {
  start: number;
  end: number;
  raw: string;
}

interface Scan {
  text: string;
  start: number;
  end: number;
  spans: LinkSpan[];
  /** Those that are open: true for one of an image. */
  brackets: boolean[];
  /** So many of them, from the first, hold a link and so begin none. */
  spent: number;
  /** Where the closer of each kind of markup stands next; infinitely far when none follows. */
  closers: Map<Enclosed, number>;
  /** Where runs of so many backticks begin, the next one last; made when the first one is met. */
  runs: ReadonlyMap<number, number[]> | undefined;
}

/** Markup that goes on to its closer, whatever stands in between. */
interface Enclosed {
  opener: RegExp;
  closer: string;
}

const OTHER_TAGS: readonly Enclosed[] = [
  { opener: /<\/[A-Za-z]/y, closer: '>' },
  { opener: /<!--/y, closer: '-->' },
  { opener: /<\?/y, closer: '?>' },
  { opener: /<![A-Z]/y, closer: '>' },
  { opener: /<!\[CDATA\[/y, closer: ']]>' },
];
// An address may hold a percent sign. At the next tag it ends, so that many that do not close are each looked through once.
const BLOCK_TAG = /\{%\s*@?[a-z][\w/-]*\s[^%{\n]*(?:(?:%(?!\})|\{(?!%[^}]))[^%{\n]*)*%\}/iy;
/** Tags that are about an address: it may stand in them without a name. */
const ADDRESS_TAG = /^\{%\s*(?:embed|content-ref|file|include)\s/;
const NAMED_TARGET = /\s(?:url|src)="([^"\n]*)"/g;
const BLOCK_TAG_TARGET = /\s(?:(?:url|src)=)?"([^"\n]*)"/g;
const AUTOLINK = /<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/y;
const RAW_TEXT: Enclosed = { opener: /<(?:script|style)\b/iy, closer: '>' };
const DEFINITION =
  /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*\[((?:[^[\]\\]|\\[^])+)\]:[ \t]*(?:\n[ \t]*)?(<[^<>\n]*>|[^\s<][^\s]*)/gm;
const ANGLE_TARGET = /<((?:[^<>\n\\]|\\.)*)>/y;
const LINK_END = /(?:\s+(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\)))?\s*\)/y;
const SPACE = /\s*/y;
const BACKTICKS = /`+/y;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const MAX_PARENTHESES = 32;

/** The targets of inline links and images, reference definitions, HTML tags and block tags, in order. */
export function scanRegion(text: string, region: Region): LinkSpan[] {
  const { kind, start, end } = region;
  if (kind === 'definitions') return definitions(text, region);
  const next = kind === 'html' ? nextHtml : nextInline;
  const open = { brackets: [], spent: 0, closers: new Map<Enclosed, number>(), runs: undefined };
  const scan: Scan = { text: text.slice(0, end), start, end, spans: [], ...open };
  for (let at = start; at < end;) at = next(scan, at);
  return scan.spans;
}

function definitions(text: string, { start, end }: Region): LinkSpan[] {
  const lines = text.slice(start, end);
  if (!lines.includes(']:')) return [];
  return [...lines.matchAll(DEFINITION)].flatMap((match) => {
    const [whole, label = '', written = ''] = match;
    const until = start + match.index + whole.length;
    const from = until - written.length;
    // What stands there is no address but the text of a footnote, which may be a link.
    if (label.startsWith('^')) return scanRegion(text, { kind: 'inline', start: from, end: until });
    const raw = written.startsWith('<') ? written.slice(1, -1) : written;
    return [{ start: from, end: until, raw }];
  });
}

function nextHtml(scan: Scan, at: number): number {
  if (scan.text[at] !== '<') return at + 1;
  const tag = at + Math.max(tagLinks(scan, at), 1);
  return afterRawText(scan, at) ?? afterOtherTag(scan, at) ?? tag;
}

/** What stands in a script or a style is no text, up to the end when it is not closed. */
function afterRawText(scan: Scan, at: number): number | undefined {
  const tagEnd = afterEnclosed(scan, RAW_TEXT, at);
  if (tagEnd === undefined) return undefined;
  const closing = /^<script/i.test(scan.text.slice(at, at + '<script'.length)) ? /<\/script>/gi : /<\/style>/gi;
  closing.lastIndex = tagEnd;
  return closing.exec(scan.text) === null ? scan.end : closing.lastIndex;
}

function afterOtherTag(scan: Scan, at: number): number | undefined {
  for (const markup of OTHER_TAGS) {
    const end = afterEnclosed(scan, markup, at);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** The end of the markup that begins at `at`. The text is looked through once for each closer, however many openers have none. */
function afterEnclosed({ text, closers }: Scan, markup: Enclosed, at: number): number | undefined {
  const opener = matchAt(markup.opener, text, at);
  if (opener === undefined) return undefined;
  const inside = at + opener.length;
  let end = closers.get(markup) ?? -1;
  if (end < inside) {
    const found = text.indexOf(markup.closer, inside);
    end = found === -1 ? Infinity : found;
    closers.set(markup, end);
  }
  return end === Infinity ? undefined : end + markup.closer.length;
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
      scan.brackets.push(scan.text[at - 1] === '!' && scan.text[at - 2] !== '\\');
      return at + 1;
    case ']':
      return afterBracket(scan, at);
    default:
      return at + 1;
  }
}

function afterCode(scan: Scan, at: number): number {
  const ticks = matchAt(BACKTICKS, scan.text, at) ?? '`';
  const inside = at + ticks.length;
  scan.runs ??= runsIn(scan);
  const alike = scan.runs.get(ticks.length) ?? [];
  while ((alike.at(-1) ?? inside) < inside) alike.pop();
  const closing = alike.at(-1);
  return closing === undefined ? inside : closing + ticks.length;
}

function runsIn({ text, start, end }: Scan): Map<number, number[]> {
  const found = [...text.slice(start, end).matchAll(/`+/g)].reverse();
  const alike = groupBy(found, ({ 0: ticks }) => ticks.length);
  return new Map([...alike].map(([length, runs]) => [length, runs.map(({ index }) => start + index)]));
}

function afterTag(scan: Scan, at: number): number {
  const address = matchAt(AUTOLINK, scan.text, at);
  if (address !== undefined) return at + address.length;
  return afterOtherTag(scan, at) ?? at + Math.max(tagLinks(scan, at), 1);
}

/** `{% embed url="…" %}`, `{% openapi src="…" %}` and the like: addresses of the block tags that documents have beyond CommonMark. */
function afterBlockTag(scan: Scan, at: number): number {
  const tag = matchAt(BLOCK_TAG, scan.text, at);
  if (tag === undefined) return at + 1;
  const isAddress = ADDRESS_TAG.test(tag);
  const before = scan.spans.length;
  for (const value of tag.matchAll(isAddress ? BLOCK_TAG_TARGET : NAMED_TARGET)) {
    const [whole, raw = ''] = value;
    const start = at + value.index + whole.length - raw.length - 1;
    if (raw !== '') scan.spans.push({ start, end: start + raw.length, raw });
  }
  // In one without an address, as in any text, may stand a link.
  return isAddress || scan.spans.length > before ? at + tag.length : at + 1;
}

/** Adds the addresses of the tag at `at`; the length of the tag, or 0 when there is none. */
function tagLinks(scan: Scan, at: number): number {
  const tag = matchAt(OPEN_TAG, scan.text, at);
  if (tag === undefined) return 0;
  for (const { start, raw } of addressesOfTag(tag))
    scan.spans.push({ start: at + start, end: at + start + raw.length, raw });
  return tag.length;
}

function afterBracket(scan: Scan, at: number): number {
  const isImage = scan.brackets.pop();
  const isSpent = isImage === false && scan.brackets.length < scan.spent;
  scan.spent = Math.min(scan.spent, scan.brackets.length);
  if (isImage === undefined || isSpent || scan.text[at + 1] !== '(') return at + 1;
  const target = inlineTarget(scan, at + 2);
  if (!target) return at + 1;
  // A link holds no other link, so what was opened before it cannot become one.
  if (!isImage) scan.spent = scan.brackets.length;
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
