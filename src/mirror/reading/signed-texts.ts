// Texts that differ in nothing but how the platform has signed the addresses of the files in them: such a page has not changed.
import type { KindName } from '../../contract/index.ts';
import { isWhole } from '../bodies/whole-bodies.ts';
import type { Mirror } from '../database/database.ts';
import { keyOf } from '../observe/key.ts';
import { FileAddresses } from './file-addresses.ts';
import { containerOf, filesKindOf } from './files-by-id.ts';
import type { SnapshotReader } from './reader.ts';

export interface TextPlace {
  readonly kind: KindName;
  readonly key: string;
}

/** Tells of the texts of one snapshot, or of a walk. */
export class SignedTexts {
  readonly #reader: Pick<SnapshotReader, 'outline'>;
  /** Those of the container that was asked about last: most pages come container by container, and to read them for each takes long. */
  #last: { readonly name: string; readonly addresses: FileAddresses } | null = null;

  constructor(reader: Pick<SnapshotReader, 'outline'>) {
    this.#reader = reader;
  }

  /** True for two texts of a page that show the same files by addresses with other queries, and are the same else. */
  isSignedOtherwise({ kind, key }: TextPlace, [one, other]: readonly [string, string]): boolean {
    const files = filesKindOf(kind);
    // Which files there are is asked of few: most texts that differ do so in words.
    if (files === undefined || one === other || withoutQueries(one) !== withoutQueries(other)) return false;
    const addresses = this.#addressesIn(files, containerOf(key));
    return addresses.byId(one) === addresses.byId(other);
  }

  #addressesIn(kind: KindName, within: string): FileAddresses {
    const name = `${kind} ${within}`;
    if (this.#last?.name !== name)
      this.#last = { name, addresses: new FileAddresses(this.#reader.outline(kind, within)) };
    return this.#last.addresses;
  }
}

// What stands before it is not looked at: for each of many addresses in one word that would take time by the square of its length.
const QUERY = /\?[^\s#<>"'()]*/g;

function withoutQueries(text: string): string {
  return text.replaceAll(QUERY, '');
}

interface Read {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
  /** Number of the text that is held; null where none is. */
  readonly held: number | null;
  readonly text: string;
}

/** What is to be kept of a text that was read in a walk: the one that is held, where it is the same but for signatures. */
export function textToKeep(mirror: Mirror, signed: SignedTexts, { kind, params, held, text }: Read): string {
  const stored = held === null ? undefined : mirror.store.prepare<StoredText>(TEXT).get(held);
  if (typeof stored?.data !== 'string' || stored.data === text) return text;
  const isKept = signed.isSignedOtherwise({ kind, key: keyOf(kind, params) }, [stored.data, text]);
  return isKept && isWhole(stored) ? stored.data : text;
}

interface StoredText {
  readonly hash: Buffer;
  readonly data: string;
}

const TEXT = 'select hash, data from bodies where bid = ?';
