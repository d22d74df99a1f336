// What a link in a text leads to, read from how it is written.
import { readStableLink } from './stable-links.ts';

export type LinkTarget =
  | { kind: 'page'; space: string; page: string; anchor?: string }
  | { kind: 'file'; space: string; file: string }
  | { kind: 'space'; space: string }
  | { kind: 'collection'; collection: string }
  | { kind: 'user'; user: string }
  | { kind: 'reusable-content'; space: string; content: string }
  | { kind: 'openapi'; slug: string }
  | { kind: 'url'; url: string };

/** Where a link is written. */
export interface LinkPlace {
  space: string;
  /** The page that an anchor alone leads into. */
  page: string | undefined;
  /** The page at a path of the same content. */
  readonly pageAt: (path: string) => { readonly id: string } | undefined;
}

const OTHER = /^\/(spaces|collections|users|openapi)\/([A-Za-z0-9-]+)$/;

/** What a link of a page leads to. A target that names nothing of the platform is an address. */
export function readTarget(place: LinkPlace, written: string): LinkTarget {
  if (place.page !== undefined && written.startsWith('#')) return onPage(place.space, place.page, written);
  const stable = readStableLink(written);
  if (stable) {
    const { link, rest } = stable;
    const space = link.space ?? place.space;
    if (link.kind === 'files') return { kind: 'file', space, file: link.id };
    if (link.kind === 'reusable-contents') return { kind: 'reusable-content', space, content: link.id };
    return onPage(space, link.id, rest);
  }
  return otherTarget(place, written) ?? pathTarget(place, written) ?? { kind: 'url', url: written };
}

function onPage(space: string, page: string, rest: string): LinkTarget {
  const anchor = rest.startsWith('#') ? rest.slice(1) : '';
  return { kind: 'page', space, page, ...(anchor === '' ? {} : { anchor }) };
}

function otherTarget(place: LinkPlace, written: string): LinkTarget | undefined {
  const [, kind, id = ''] = OTHER.exec(written) ?? [];
  switch (kind) {
    case 'spaces':
      return { kind: 'space', space: id };
    case 'collections':
      return { kind: 'collection', collection: id };
    case 'users':
      return { kind: 'user', user: id };
    case 'openapi':
      return { kind: 'openapi', slug: id };
    default:
      return undefined;
  }
}

/** A path from the root of the content, as an import leaves it when what it named came later. */
function pathTarget(place: LinkPlace, written: string): LinkTarget | undefined {
  const [, path = '', rest = ''] = /^\/?([^#?:]+?)(?:\.md)?\/?(#.*)?$/.exec(written) ?? [];
  const page = path === '' ? undefined : place.pageAt(path);
  return page && onPage(place.space, page.id, rest);
}
