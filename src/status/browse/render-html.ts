// HTML that stands in a document, as a reader can have it here: its words, links and pictures, and none of what it could do.
import { readReferences } from '../../base/index.ts';
import type { Addresses } from './addresses.ts';
import { escaped, tag } from './markup.ts';
import { renderImage, renderLink } from './render-links.ts';

/** Tags that only format are dropped, their words stay; what could do something is shown as the text that it is. */
const HARMLESS =
  /^<\/?(?:a|abbr|b|big|center|cite|code|del|dfn|div|em|figcaption|figure|font|i|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|small|source|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul|h[1-6])(?=[\s/>])/i;

/** What goes on in a line of its own. */
const ENDS_LINE = /^<\/(?:p|div|tr|li|h[1-6]|figure)\b/i;
const OPENS_CELL = /^<t[dh]\b/i;
const ENDS_CELL = /^<\/t[dh]\b/i;
const BETWEEN_CELLS = tag('span', { class: 'soft' }, ' | ');
const OPENS_LINK = /^<a\s/i;
const ENDS_LINK = /^<\/a\b/i;

/** True for a tag, or its beginning, that is no word of a text: what stands between such signs in a command is one. */
export function isFormat(markup: string): boolean {
  return /^<(?:!--|\/?(?:br|details|hr|img|summary)(?=[\s/>]))/i.test(markup) || HARMLESS.test(markup);
}

export function renderHtmlTag(markup: string, addresses: Addresses): string {
  if (/^<br\b/i.test(markup) || ENDS_LINE.test(markup)) return '<br>';
  if (/^<hr\b/i.test(markup)) return '<hr>';
  if (/^<img\b/i.test(markup))
    return renderImage({ src: attribute(markup, 'src'), alt: attribute(markup, 'alt') }, addresses);
  if (markup.startsWith('<!--') || HARMLESS.test(markup)) return '';
  return tag('code', { class: 'soft' }, escaped(markup));
}

const RUNS = /<(script|style|iframe|object|template)\b[^<>]*>[^]*?(?:<\/\1\s*>|$)/gi;

/** Raw HTML: its words, links and pictures, its line ends; what could run is shown, not run. */
export function renderHtmlBlock(markup: string, addresses: Addresses): string {
  const parts: string[] = [];
  let from = 0;
  for (const found of markup.matchAll(RUNS)) {
    parts.push(htmlWords(markup.slice(from, found.index), addresses));
    parts.push(tag('pre', { class: 'soft' }, tag('code', {}, escaped(found[0]))));
    from = found.index + found[0].length;
  }
  parts.push(htmlWords(markup.slice(from), addresses));
  return tag('div', { class: 'raw' }, parts.join(''));
}

interface Piece {
  /** A tag; undefined for what stands between two. */
  readonly markup?: string;
  readonly words?: string;
  /** A cell that follows one in which something stands. */
  readonly isNextCell?: boolean;
}

function htmlWords(markup: string, addresses: Addresses): string {
  const shown = renderLinked(piecesOf(markup), ({ markup: one }) => one, {
    addresses,
    render: (pieces, within) => pieces.map((piece) => renderPiece(piece, within)).join(''),
  });
  return withoutEmptyEdges(shown);
}

function piecesOf(markup: string): Piece[] {
  // Behind the last `>` no tag ends; to look there for each that begins would take time by the square of a text's length.
  const end = markup.lastIndexOf('>') + 1;
  const parts = markup.slice(0, end).split(/(<!--[^]*?(?:-->|$)|<[!/a-z][^>]*>)/i);
  const pieces = parts.map((part, at): Piece => {
    if (at % 2 === 0) return { words: readReferences(part) };
    return { markup: part, isNextCell: OPENS_CELL.test(part) && endsFilledCell(parts, at - 2) };
  });
  return [...pieces, { words: readReferences(markup.slice(end)) }];
}

function endsFilledCell(parts: readonly string[], at: number): boolean {
  if (!ENDS_CELL.test(parts[at] ?? '')) return false;
  return !OPENS_CELL.test(parts[at - 2] ?? '') || /\S/.test(parts[at - 1] ?? '');
}

function renderPiece({ markup, words = '', isNextCell = false }: Piece, addresses: Addresses): string {
  if (markup === undefined) return escaped(words);
  return isNextCell ? BETWEEN_CELLS : renderHtmlTag(markup, addresses);
}

interface LinkedPieces<Piece> {
  readonly addresses: Addresses;
  readonly render: (pieces: readonly Piece[], addresses: Addresses) => string;
}

/** Renders what stands in a row, of which some are tags; what stands between `<a href="…">` and `</a>`, or the next such link, is one. */
export function renderLinked<Piece>(
  pieces: readonly Piece[],
  markupOf: (piece: Piece) => string | undefined,
  { addresses, render }: LinkedPieces<Piece>,
): string {
  const last = pieces.findLastIndex((piece) => ENDS_LINK.test(markupOf(piece) ?? ''));
  if (last === -1 || addresses.isInLink === true) return render(pieces, addresses);
  const parts: string[] = [];
  let from = 0;
  let address = '';
  for (const [at, piece] of pieces.entries()) {
    const markup = markupOf(piece) ?? '';
    const opened = at < last && OPENS_LINK.test(markup) ? attribute(markup, 'href') : '';
    if (opened === '' && (address === '' || !ENDS_LINK.test(markup))) continue;
    const part = pieces.slice(from, at);
    parts.push(
      address === ''
        ? render(part, addresses)
        : linkTo(address, render(part, { ...addresses, isInLink: true }), addresses),
    );
    from = at + 1;
    address = opened;
  }
  return parts.join('') + render(pieces.slice(from), addresses);
}

/** A place that links can lead to, as headings have one, is no link to read. */
function linkTo(address: string, inner: string, addresses: Addresses): string {
  return inner.trim() === '' ? '' : renderLink(address, inner, addresses);
}

const LINE_END = '<br>';

/** Without line ends and spaces first and last. */
function withoutEmptyEdges(html: string): string {
  let from = 0;
  let to = html.length;
  while (html.startsWith(LINE_END, from) || /\s/.test(html[from] ?? ''))
    from += html[from] === '<' ? LINE_END.length : 1;
  while (to > from && (html.endsWith(LINE_END, to) || /\s/.test(html[to - 1] ?? '')))
    to -= html[to - 1] === '>' ? LINE_END.length : 1;
  return html.slice(from, to);
}

function attribute(markup: string, name: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(markup);
  return readReferences(found?.[1] ?? found?.[2] ?? found?.[3] ?? '');
}
