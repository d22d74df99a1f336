// The mirror at one snapshot, as the operations of the API ask for it.
import { AppError } from '../base/index.ts';
import { kindOf, notFound, parentKind, type KindName } from '../contract/index.ts';
import type { Resource, SnapshotReader, UnreadIn } from '../mirror/index.ts';

export interface View {
  readonly reader: SnapshotReader;
  /** What the snapshot could not read; null for one that is complete. */
  readonly unread: UnreadIn | null;
  /** An address under which the bytes of an object can be had for a while. */
  readonly address: (file: FileAddress) => string;
}

export interface FileAddress {
  readonly sha256: string;
  readonly name: string;
  readonly contentType: string;
}

/** The resource, or a 404 as the API answers it; where nobody can tell whether it is there, DM_INCOMPLETE. */
export function need(view: View, kind: KindName, key: string): Resource {
  const found = view.reader.one(kind, key);
  if (found) return found;
  demandTold(view, kind, key);
  throw notFound(nameOf(kind), key.slice(key.lastIndexOf('/') + 1));
}

/** Throws DM_INCOMPLETE where something is not in the mirror because it could not be read. */
export function demandTold(view: View, kind: KindName, key: string): void {
  if (isUntold(view, kind, key)) throw untold(kind, key);
}

interface Listing {
  readonly kind: KindName;
  /** Key of what it is listed below. */
  readonly within: string;
  /** The kind of that, where it is not the one that the walk comes from. */
  readonly holder?: KindName;
}

/** What a listing was found to hold; where that is nothing because it could not be read, DM_INCOMPLETE. */
export function told<T>(view: View, listing: Listing, found: readonly T[]): readonly T[] {
  const { kind, within } = listing;
  const above = listing.holder ?? parentKind(kind);
  if (found.length > 0 || view.unread === null || above === null) return found;
  const holder = { kind: above, key: within };
  const isUnread =
    view.reader.one(above, within) === undefined
      ? isUntold(view, above, within)
      : view.unread.someIn({ kind, holder }) || view.unread.listing({ kind, holder });
  if (isUnread) throw untold(kind, within);
  return found;
}

/** True for what is not there, where it or the listing that would show it could not be read. */
function isUntold(view: View, kind: KindName, key: string): boolean {
  const { unread, reader } = view;
  const parent = parentKind(kind);
  // Without a list of organizations there is no snapshot.
  if (unread === null || parent === null) return false;
  if (unread.one(kind, key)) return true;
  const above = keyAbove(kind, key);
  if (above === null) return isInNoListing(view, kind);
  if (reader.one(parent, above) === undefined) return isUntold(view, parent, above);
  return unread.listing({ kind, holder: { kind: parent, key: above } });
}

/** Of a collection, whose key names no organization, any of those could hold it. A space has no listing of its own. */
function isInNoListing({ unread, reader }: View, kind: KindName): boolean {
  if (unread === null || kindOf(kind).read.from !== 'list') return false;
  return [...reader.resources('organization')].some((holder) => unread.listing({ kind, holder }));
}

/** Key of what it stands below; null where its own does not tell. */
function keyAbove(kind: KindName, key: string): string | null {
  const parent = parentKind(kind);
  const above = parent === null ? [] : kindOf(parent).params;
  const isWithin = above.every((name, i) => name === kindOf(kind).params[i]);
  return isWithin ? key.split('/', above.length).join('/') : null;
}

function untold(kind: KindName, key: string): AppError {
  return new AppError('DM_INCOMPLETE', `Neither this snapshot nor one before it could read each ${kind} at ${key}`, {
    hint: '`docmirror snapshots show` says why, with the number of the snapshot.',
  });
}

/** `change-request` -> `Change request`, `saml-provider` -> `SAML provider`. */
function nameOf(kind: KindName): string {
  const words = kind.replaceAll('-', ' ').replaceAll(/\b(?:saml|pdf)\b/g, (word) => word.toUpperCase());
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace('Openapi', 'OpenAPI');
}

/** Those of a listing that name an id, and perhaps others. */
export function listedNaming(
  { reader }: View,
  id: string,
  { kind, within }: Pick<Listing, 'kind'> & { within?: string },
): Resource[] {
  return [...reader.naming(id, kind, within)].toSorted(byListing);
}

/** Resources of a kind below a key, in the order of their listing: as people put them, else as they came. */
export function listed({ reader }: View, kind: KindName, within?: string): Resource[] {
  return [...reader.resources(kind, within)].toSorted(byListing);
}

/** A page without its text. */
export type ListedPage = Pick<Resource, 'id' | 'key' | 'body' | 'position' | 'rid'>;

/** The same for pages, whose texts, all together, would take more memory than there is. */
export function listedPages({ reader }: View, kind: KindName, within: string): ListedPage[] {
  return [...reader.outline(kind, within)].filter(({ holds }) => holds).toSorted(byListing);
}

type InListing = Pick<Resource, 'position' | 'rid'>;

function byListing(a: InListing, b: InListing): number {
  const [first, second] = [a.position ?? Number.MAX_SAFE_INTEGER, b.position ?? Number.MAX_SAFE_INTEGER];
  return first - second || a.rid - b.rid;
}
