import { linkRegions, unescapeTarget } from './link-regions.ts';
import { scanRegion, type LinkSpan } from './link-scanner.ts';
import { decodePercent } from './percent.ts';

/** A target that names what it leads to by its id: `/pages/<id>`, `/files/<id>`, `/spaces/<id>`, and pages and files below a space. */
export interface LinkById {
  readonly to: 'page' | 'file' | 'space';
  /** Null where it names none; the space itself where it leads to one. */
  readonly space: string | null;
  readonly id: string;
  /** Query and anchor, which say what of it is meant. */
  readonly rest: string;
}

// An id is opaque: whatever may stand in a part of an address; parentheses as Markdown takes them there, in pairs.
const CHARACTER = String.raw`[\w.~!$&'*+,;=:@%-]`;
const ID = String.raw`((?:${CHARACTER}|\(${CHARACTER}*\))+)`;
const BY_ID = new RegExp(String.raw`^/(?:spaces/${ID}(?:/(page|file)s/${ID})?|(page|file)s/${ID})((?:[?#].*)?)$`, 's');

/** Takes a link's target apart; null for every other address. */
export function readLinkById(target: string): LinkById | null {
  const found = BY_ID.exec(target);
  if (!found) return null;
  const [, space = null, below, idBelow, alone, idAlone, rest = ''] = found;
  const to = (below ?? alone ?? 'space') as LinkById['to'];
  const own = space === null ? null : decodePercent(space);
  return { to, space: own, id: decodePercent(idBelow ?? idAlone ?? space ?? ''), rest };
}

/** The address of what a link leads to, as it stands in a text: {@link readLinkById} reads the same ids in it, whatever signs they have. */
export function addressById({ to, space, id }: Omit<LinkById, 'rest'>): string {
  const within = to === 'space' || space === null ? '' : `/spaces/${idInAddress(space)}`;
  return `${within}/${to}s/${idInAddress(id)}`;
}

const PLAIN = new RegExp(`^${ID}$`);
const BEYOND_PLAIN = new RegExp(String.raw`(?!${CHARACTER})[^]`, 'gu');
/** Would be read as another sign. */
const READ_OTHERWISE = /%|&(?=#?\w+;)/g;

function idInAddress(id: string): string {
  const whole = id.toWellFormed().replaceAll(READ_OTHERWISE, encodeURIComponent);
  return PLAIN.test(whole) ? whole : whole.replaceAll(BEYOND_PLAIN, escapedSign);
}

// encodeURIComponent alone leaves parentheses.
function escapedSign(sign: string): string {
  return /[()]/.test(sign) ? `%${sign.charCodeAt(0).toString(16)}` : encodeURIComponent(sign);
}

// Every link, tag, definition and block tag has one of these.
const SIGN_OF_LINK = /<|\]\(|\]:|\{%/;

/**
 * Replaces link targets in a Markdown text, whatever ends its lines: inline links, images, reference definitions, `src`, `srcset`,
 * `href` and the like of raw HTML, addresses of block tags (`{% embed url="…" %}`); nothing inside code. `replace` gets the target with escapes and entities resolved, and taken apart when it
 * names what it leads to by its id, and gives the new one, or undefined to leave it. Everything else of the text stays as it is, byte for byte, and so do query and anchor of a
 * target whose new one has the same, and an anchor that is the same alone.
 */
export function rewriteLinks(
  text: string,
  replace: (target: string, byId: LinkById | null) => string | undefined,
): string {
  // Many texts hold none, and to tell them apart into blocks takes most of the time.
  if (!SIGN_OF_LINK.test(text)) return text;
  let out = '';
  let done = 0;
  for (const region of linkRegions(text)) {
    for (const span of scanRegion(text, region)) {
      const old = unescapeTarget(span.raw);
      const target = replace(old, readLinkById(old));
      if (target === undefined || span.start < done) continue;
      out += text.slice(done, span.start) + asWritten(span, { old, target });
      done = span.end;
    }
  }
  return out + text.slice(done);
}

/** The new target as it stands in the text. What follows the path was written so that nothing ends the target early: it stays so. */
function asWritten(span: LinkSpan, { old, target }: { readonly old: string; readonly target: string }): string {
  const from = [/[?#]/, /#/].find((sign) => sign.test(old) && target.endsWith(old.slice(old.search(sign))));
  if (from === undefined) return target;
  const rest = old.slice(old.search(from));
  const path = target.slice(0, target.length - rest.length);
  const written = span.raw === old ? rest : writtenRest(span.raw, from);
  const isAngled = span.end - span.start > span.raw.length;
  return isAngled && /[\s()<>\p{Cc}]/u.test(written) ? `<${path}${written}>` : path + written;
}

// What is read as one character.
const PIECE = /\\[!-/:-@[-`{-~]|&#?\w+;|[^]/g;

/** From the first `?` or `#` that is read as such, or the first `#` alone. */
function writtenRest(raw: string, from: RegExp): string {
  for (const { 0: piece, index } of raw.matchAll(PIECE)) {
    const read = unescapeTarget(piece);
    if (read.search(from) === 0) return raw.slice(index);
    // No entity, but written like one.
    if (read.startsWith('&#')) return raw.slice(index + 1);
  }
  return '';
}
