// Links that hold by id in stored text (`/pages/<id>`, `/files/<id>`, `/spaces/<id>[/pages/<id>]`) and links between files on disk.
import { posix } from 'node:path';
import { decodePercent, rewriteLinks } from '../../base/index.ts';

/** What a link by id leads to. */
export type StableLink = NonNullable<Parameters<Parameters<typeof rewriteLinks>[1]>[1]>;

/**
 * Decides about links that lead out of a layout. Answers are written into the text as they are (without query and anchor, which are
 * kept); null leaves the link untouched. `from` is the path of the file that holds the link, inside its layout.
 */
export interface LinkResolver {
  page(space: string | null, page: string, from: string): string | null;
  /** @param space Not there where the link names none. */
  file(file: string, from: string, space?: string): string | null;
  /** A space as a whole. */
  space(space: string, from: string): string | null;
}

/** What a resolver says about a link. */
export function askResolver(links: LinkResolver, link: StableLink, from: string): string | null {
  switch (link.to) {
    case 'page':
      return links.page(link.space, link.id, from);
    case 'file':
      return link.space === null ? links.file(link.id, from) : links.file(link.id, from, link.space);
    case 'space':
      return links.space(link.id, from);
  }
}

/** Tells links by other than an id, each as the link by id that leads to the same. */
export interface OtherLinks {
  /** One of these stands in every text with such a link. */
  readonly traces: readonly string[];
  find(target: string): StableLink | null;
  /** Where one that was told leads; null leaves it untouched, and of undefined the resolver decides. */
  readonly leads?: ((link: StableLink) => string | null | undefined) | undefined;
}

/** Leaves every link alone. */
export const keepLinks: LinkResolver = { page: () => null, file: () => null, space: () => null };

/** One of these stands in every text with a link by id: its path as it is, or written with escapes or entities. */
const TRACES = ['/pages/', '/files/', '/spaces/', '&#', '&sol;', '\\/'];

/** Replaces links by id outside code, and others that are told, with what `resolve` gives; all else, and links it gives null for, stay byte for byte. */
export function rewriteStableLinks(
  text: string,
  resolve: (link: StableLink) => string | null,
  others?: OtherLinks,
): string {
  const isIn = (trace: string): boolean => text.includes(trace);
  // At a tenth of what a pattern for all costs.
  if (!TRACES.some(isIn) && others?.traces.some(isIn) !== true) return text;
  return rewriteLinks(text, (target, byId) => {
    const other = byId === null ? (others?.find(target) ?? null) : null;
    const leads = other === null ? undefined : others?.leads?.(other);
    if (leads !== undefined) return leads ?? undefined;
    const link = byId ?? other;
    const resolved = link && resolve(link);
    return link && typeof resolved === 'string' ? resolved + link.rest : undefined;
  });
}

/** The address of one file as seen from another, both relative to the same root. */
export function relativeLink(from: string, to: string): string {
  const folder = posix.dirname(from);
  return encodePath(folder === '.' ? to : posix.relative(folder, to));
}

/** Where a link in a file leads among the files beside it, as an import reads it: its path, decoded; null for any other address. */
export function pathLinked(from: string, target: string): { readonly path: string; readonly anchor: string } | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|[#?]|$)/i.test(target)) return null;
  const [, written = '', anchor = ''] = /^([^#?]*)[^#]*(#.*)?$/s.exec(target) ?? [];
  const decoded = decodePercent(written);
  const path = decoded.startsWith('/') ? decoded.slice(1) : posix.join(posix.dirname(from), decoded);
  return { path: posix.normalize(path), anchor };
}

/** A path as an address that needs no brackets or quotes around it. Letters of other scripts stay readable. */
function encodePath(path: string): string {
  return path.replaceAll(/[^\p{L}\p{N}\p{M}._~/-]/gu, percent);
}

/** Where an ampersand means more than itself. Elsewhere it stays as it is: not every tool takes the stroke before it away. */
export const ENTITY = /&(?=#?\w+;)/g;

const ENDS_LINES = /[\p{Cc}\u2028\u2029]/u;

/** An address from elsewhere, written so that Markdown reads it back the same; of white space, that holds for spaces. */
export function linkDestination(url: string): string {
  return url.includes(' ') && !ENDS_LINES.test(url) ? `<${escaped(url, /[\\<>]/g)}>` : destinationPart(url);
}

/** Of an address that is put together from several; white space is encoded. */
export function destinationPart(text: string): string {
  return escaped(text.replaceAll(/[\s\p{Cc}]/gu, percent), /[\\()<>[\]]/g);
}

function escaped(text: string, characters: RegExp): string {
  return text.replaceAll(characters, (character) => `\\${character}`).replaceAll(ENTITY, String.raw`\&`);
}

// encodeURIComponent alone leaves parentheses and quotes.
function percent(character: string): string {
  return /[!'()*]/.test(character)
    ? `%${character.charCodeAt(0).toString(16).toUpperCase()}`
    : encodeURIComponent(character);
}
