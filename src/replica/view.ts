// The mirror at one snapshot, as the operations of the API ask for it.
import { kindOf, notFound, type KindName } from '../contract/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';

export interface View {
  readonly reader: SnapshotReader;
  /** An address under which the bytes of an object can be had for a while. */
  readonly address: (file: FileAddress) => string;
}

export interface FileAddress {
  readonly sha256: string;
  readonly name: string;
  readonly contentType: string;
}

/** The resource, or a 404 as the API answers it. */
export function need({ reader }: View, kind: KindName, key: string): Resource {
  const found = reader.one(kind, key);
  if (!found) throw notFound(nameOf(kind), key.slice(key.lastIndexOf('/') + 1));
  return found;
}

/** `change-request` -> `Change request`, `saml-provider` -> `SAML provider`. */
function nameOf(kind: KindName): string {
  const words = kind.replaceAll('-', ' ').replaceAll(/\b(?:saml|pdf)\b/g, (word) => word.toUpperCase());
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace('Openapi', 'OpenAPI');
}

/** Resources of a kind below a key, in the order of their listing: as people put them, else as they came. */
export function listed({ reader }: View, kind: KindName, within?: string): Resource[] {
  return [...reader.resources(kind, within)].toSorted(byListing);
}

function byListing(a: Resource, b: Resource): number {
  const [first, second] = [a.position ?? Number.MAX_SAFE_INTEGER, b.position ?? Number.MAX_SAFE_INTEGER];
  return first - second || a.rid - b.rid;
}

/** The key that path parameters name. */
export function keyFrom(kind: KindName, path: Readonly<Record<string, string>>): string {
  return kindOf(kind)
    .params.map((name) => path[name] ?? '')
    .join('/');
}
