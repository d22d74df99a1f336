// What an address in a page's text may lead to. Only what is named here can be followed or shown; all else is dead.
import { lazy, lazyBy } from '../../base/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';

/** `outside` leads to another host and says so. */
export type Target = { readonly href: string; readonly outside: boolean };

export interface Addresses {
  /** Null for what cannot be followed: scripts, data, addresses without meaning. */
  readonly link: (address: string) => Target | null;
  /** Where a picture of this mirror is served; null for one that is elsewhere or not there. */
  readonly image: (address: string) => string | null;
  /** What is shown stands in a link, and no link stands in another. */
  readonly isInLink?: true;
}

const PAGE = /^(?:\/spaces\/([^/#?\s]+))?\/pages\/([^/#?\s]+)(#.*)?$/s;
const FILE = /^\/files\/([^/#?\s]+)/;
const SPACE = /^\/spaces\/([^/#?\s]+)\/?$/;
const OUTSIDE = /^(?:https?:\/\/|mailto:)/i;

export interface Place {
  readonly reader: SnapshotReader;
  readonly space: string;
  /** `?at=…` of every address of the browser, or nothing. */
  readonly query: string;
}

/** For one text, or several of a space: what they name is looked for once, however often they do. */
export function addressesIn(given: Place): Addresses {
  const { reader, space } = given;
  // With a page comes its whole text, and a space may hold many files.
  const known: Known = {
    hasPage: lazyBy((key) => reader.one('page', key) !== undefined),
    hasFile: lazyBy((id) => (reader.one('file', `${space}/${id}`)?.object ?? null) !== null),
    files: lazy(() => filesByAddress(given)),
  };
  return {
    link: (address) => linkOf(tidy(address), given, known),
    image: (address) => imageOf(tidy(address), given, known),
  };
}

interface Known {
  readonly hasPage: (key: string) => boolean;
  /** Whether the bytes of a file of the space are here. */
  readonly hasFile: (id: string) => boolean;
  /** Ids of files by the address, without its query, at which the platform gives them out. */
  readonly files: () => ReadonlyMap<string, string>;
}

// Browsers drop control characters inside an address, so what is judged must not hold any.
function tidy(address: string): string {
  return address.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim();
}

function linkOf(address: string, { reader, space, query }: Place, { hasPage, hasFile }: Known): Target | null {
  if (address.startsWith('#')) return { href: address, outside: false };
  const page = PAGE.exec(address);
  if (page) {
    const [, named = space, id = '', anchor = ''] = page;
    return hasPage(`${named}/${id}`) ? { href: pagePath(named, id, query) + anchor, outside: false } : null;
  }
  const file = FILE.exec(address)?.[1];
  if (file !== undefined) return hasFile(file) ? { href: filePath(space, file, query), outside: false } : null;
  const other = SPACE.exec(address)?.[1];
  if (other !== undefined) return reader.one('space', other) ? { href: spacePath(other, query), outside: false } : null;
  return OUTSIDE.test(address) ? { href: address, outside: true } : null;
}

function imageOf(address: string, { space, query }: Place, { hasFile, files }: Known): string | null {
  const file = FILE.exec(address)?.[1] ?? files().get(address.split('?')[0] ?? '');
  return file !== undefined && hasFile(file) ? filePath(space, file, query) : null;
}

function filesByAddress({ reader, space }: Place): Map<string, string> {
  const files = new Map<string, string>();
  for (const { id, body, holds } of reader.outline('file', space)) {
    const address = body['downloadURL'];
    if (holds && typeof address === 'string') files.set(address.split('?')[0] ?? '', id);
  }
  return files;
}

export function spacePath(space: string, query: string): string {
  return `/browse/spaces/${encoded(space)}${query}`;
}

export function pagePath(space: string, page: string, query: string): string {
  return `/browse/spaces/${encoded(space)}/pages/${encoded(page)}${query}`;
}

export function filePath(space: string, file: string, query: string): string {
  return `/browse/spaces/${encoded(space)}/files/${encoded(file)}${query}`;
}

export function requestPath(space: string, request: string, query: string): string {
  return `/browse/spaces/${encoded(space)}/change-requests/${encoded(request)}${query}`;
}

/** As part of an address; half a character, which JSON can hold, cannot stand in one. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD'));
}
