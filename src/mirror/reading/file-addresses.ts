// Some platforms show a file in a text by the address that its bytes are read from, which ends with its signature, or with the file:
// each is as good as a link by its id.
import { addressById, decodePercent, rewriteLinks } from '../../base/index.ts';
import { kindOf } from '../../contract/index.ts';
import { isOfSignature } from '../observe/signed-addresses.ts';
import type { Outlined } from './reader.ts';

type AddressedFile = Pick<Outlined, 'id' | 'kind' | 'body' | 'object'>;

interface Address {
  readonly origin: string;
  /** Without escapes. */
  readonly path: string;
  readonly query: string;
  readonly anchor: string;
}

/** What is remembered of each file: of a space with many, all that is known of them is much. */
interface Shown {
  readonly id: string;
  readonly sha256: string | null;
}

/** The addresses of the files of one container. */
export class FileAddresses {
  readonly #whole = new Map<string, string>();
  /** With what of the query is no signature; null where files with other bytes have one. */
  readonly #unsigned = new Map<string, Shown | null>();
  /** Without any query; null as above. */
  readonly #byPath = new Map<string, Shown | null>();
  readonly #origins = new Set<string>();

  constructor(files: Iterable<AddressedFile>) {
    for (const file of files) this.#add(file);
  }

  #add(file: AddressedFile): void {
    const address = addressOf(file);
    // Of a host alone: no file is told by it.
    if (address === null || address.path.length < 2) return;
    const at = address.origin + address.path;
    const shown: Shown = { id: file.id, sha256: file.object?.sha256 ?? null };
    note(this.#byPath, at, shown);
    note(this.#unsigned, at + unsigned(address.query), shown);
    this.#whole.set(at + address.query, file.id);
    this.#origins.add(address.origin);
  }

  /** The text with links by id in place of these addresses; all else byte for byte. */
  byId(text: string): string {
    if (![...this.#origins].some((origin) => text.includes(origin))) return text;
    return rewriteLinks(text, (target, isById) => {
      const address = isById === null ? partsOf(target) : null;
      const file = address === null ? undefined : this.#find(address);
      return file === undefined
        ? undefined
        : addressById({ to: 'file', space: null, id: file }) + (address?.anchor ?? '');
    });
  }

  /** A signature is another one with every answer; what else the query says may tell which file it is. */
  #find({ origin, path, query }: Address): string | undefined {
    const at = origin + path;
    const left = unsigned(query);
    const alike = left === '' ? this.#byPath.get(at) : this.#unsigned.get(at + left);
    return this.#whole.get(at + query) ?? alike?.id;
  }
}

function note(known: Map<string, Shown | null>, at: string, shown: Shown): void {
  const before = known.get(at);
  const isAlike = before === undefined || (before !== null && hasSameBytes(before, shown));
  known.set(at, isAlike ? (before ?? shown) : null);
}

/** A query without its signature. */
function unsigned(query: string): string {
  return query
    .slice(1)
    .split('&')
    .filter((part) => !isOfSignature(part))
    .join('&');
}

function hasSameBytes({ sha256: one }: Shown, { sha256: other }: Shown): boolean {
  return one !== null && one === other;
}

function addressOf({ kind, body }: AddressedFile): Address | null {
  const { bytes } = kindOf(kind);
  const address = bytes === undefined ? undefined : body[bytes];
  return typeof address === 'string' ? partsOf(address) : null;
}

const ADDRESS = /^(https?:\/\/[^/?#]+)([^?#]*)(\?[^#]*)?(#.*)?$/is;

function partsOf(address: string): Address | null {
  const found = ADDRESS.exec(address);
  if (found === null) return null;
  const [, origin = '', path = '', query = '', anchor = ''] = found;
  return { origin, path: decodePercent(path), query, anchor };
}
