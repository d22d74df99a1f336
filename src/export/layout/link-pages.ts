// Pages that are links: what they refer to, and what the table of contents leads to for them.
import { isRecord, readLinkById } from '../../base/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import { appAddress, type AppAddresses } from './app-addresses.ts';
import { destinationPart, linkDestination, type StableLink } from './links.ts';

/** What a page of type link says about where it leads. */
export interface Leading {
  readonly href: string | null;
  /** A content reference as the platform sent it. */
  readonly target: unknown;
}

export interface Following {
  readonly reader: SnapshotReader;
  /** The space that references without one mean. */
  readonly space: string;
  readonly addresses: AppAddresses;
  /** The file that something leads to, as seen from the table of contents. */
  readonly resolve: (link: StableLink) => string | null;
}

/** What a link page leads to by an id or an address of the app; null where it names nothing of the platform. */
export function referenceOf({ href, target }: Leading, addresses: Pick<AppAddresses, 'find'>): StableLink | null {
  return referredTo(target) ?? (href === null ? null : (readLinkById(href) ?? addresses.find(href)));
}

/** Where a link page leads, as it is written: to a file that is here, else to the address that it has; null for nowhere. */
export function followLink(following: Following, { href, target }: Leading): string | null {
  const referred = referredTo(target);
  const written = href === null ? null : (readLinkById(href) ?? following.addresses.find(href));
  for (const link of [referred, written]) {
    const resolved = link && following.resolve(link);
    if (link && resolved !== null) return resolved + destinationPart(link.rest);
  }
  const isAddress = href !== null && readLinkById(href) === null;
  const address = isAddress ? href : (addressOf(following, target, referred ?? written) ?? href);
  return address === null ? null : linkDestination(address);
}

/** What may have a file; null for other kinds of references. */
function referredTo(target: unknown): StableLink | null {
  if (!isRecord(target)) return null;
  const space = idIn(target, 'space');
  const page = idIn(target, 'page');
  switch (target['kind']) {
    case 'page':
      return page === null ? null : { to: 'page', space, id: page, rest: '' };
    case 'anchor': {
      const rest = `#${idIn(target, 'anchor')?.replace(/^#/, '') ?? ''}`;
      if (page !== null) return { to: 'page', space, id: page, rest };
      return space === null ? null : { to: 'space', space, id: space, rest: '' };
    }
    case 'collection': {
      // As of a space that is not here: no file stands for it.
      const collection = idIn(target, 'collection');
      return collection === null ? null : { to: 'space', space: collection, id: collection, rest: '' };
    }
    case 'space':
      return space === null ? null : { to: 'space', space, id: space, rest: '' };
    case 'file': {
      const file = idIn(target, 'file');
      return file === null ? null : { to: 'file', space, id: file, rest: '' };
    }
    default:
      return null;
  }
}

/** Where the app shows what has no file here. */
function addressOf({ reader, space }: Following, target: unknown, link: StableLink | null): string | null {
  const collection = isRecord(target) && target['kind'] === 'collection' ? idIn(target, 'collection') : null;
  if (collection !== null) return appAddress(reader.one('collection', collection)?.body);
  if (link === null || link.to === 'file') return null;
  const body =
    link.to === 'space'
      ? reader.one('space', link.id)?.body
      : reader.one('page', `${link.space ?? space}/${link.id}`)?.body;
  const address = appAddress(body);
  return address === null ? null : address + link.rest;
}

function idIn(target: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = target[field];
  return typeof value === 'string' && value !== '' ? value : null;
}
