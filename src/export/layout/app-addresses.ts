// Which page or space the app shows at an address: people copy these into texts, and they lead to the platform though the file is here.
import type { SnapshotReader } from '../../mirror/index.ts';
import { isRecord } from '../../base/index.ts';
import type { OtherLinks, StableLink } from './links.ts';

/** So many addresses of pages are held at once, which takes some 40 MB. Texts lead into many spaces by turns: each that is not held is read anew for each link. */
const MOST_PAGES = 250_000;

interface Options {
  /** An address with a query is none of them: so where files stand for what is shown, which have no query. */
  readonly isExact?: boolean;
}

/** Read when the first text asks; one for a whole export. */
export class AppAddresses implements OtherLinks {
  readonly #reader: SnapshotReader;
  readonly #isExact: boolean;
  readonly #pages = new Map<string, ReadonlyMap<string, string>>();
  #held = 0;
  #spaces: ReadonlyMap<string, string> | undefined;
  #origins: readonly string[] | undefined;

  constructor(reader: SnapshotReader, { isExact = false }: Options = {}) {
    this.#reader = reader;
    this.#isExact = isExact;
  }

  /** Where the app is, as it stands in every such address. */
  get traces(): readonly string[] {
    this.#origins ??= [...new Set([...this.#known().keys()].flatMap((address) => originOf(address) ?? []))];
    return this.#origins;
  }

  /**
   * What the app shows at this address, whatever anchor follows, or query, such as one that says where a reader came from. Of an address
   * of the app that shows nothing known, a space that is in no snapshot: what leads nowhere yet may lead somewhere when more is known.
   */
  find(target: string): StableLink | null {
    const origin = originOf(target);
    if (origin === undefined || !this.traces.includes(origin)) return null;
    const [whole = '', path = ''] = [/^[^#]*/, /^[^?#]*/].map((part) => part.exec(target)?.[0]);
    for (const address of new Set(this.#isExact ? [whole] : [whole, path])) {
      const shown = this.#shownAt(address);
      if (shown !== null) return { ...shown, rest: target.slice(address.length) };
    }
    return { to: 'space', space: '', id: '', rest: target.slice(whole.length) };
  }

  #shownAt(address: string): Omit<StableLink, 'rest'> | null {
    const space = this.#known().get(address);
    if (space !== undefined) return { to: 'space', space, id: space };
    for (const above of foldersOf(address)) {
      const within = this.#known().get(above);
      const page = within === undefined ? undefined : this.#pagesOf(within).get(address);
      if (within !== undefined && page !== undefined) return { to: 'page', space: within, id: page };
    }
    return null;
  }

  #known(): ReadonlyMap<string, string> {
    this.#spaces ??= addressesOf(this.#reader, 'space');
    return this.#spaces;
  }

  #pagesOf(space: string): ReadonlyMap<string, string> {
    const known = this.#pages.get(space);
    if (known !== undefined) return known;
    const read = addressesOf(this.#reader, 'page', space);
    this.#makeRoom(read.size);
    this.#pages.set(space, read);
    this.#held += read.size;
    return read;
  }

  /** What was read first goes first. */
  #makeRoom(size: number): void {
    for (const [space, pages] of this.#pages) {
      if (this.#held + size <= MOST_PAGES) return;
      this.#pages.delete(space);
      this.#held -= pages.size;
    }
  }
}

/** The address at which the app shows something, where it tells one. */
export function appAddress(body: Readonly<Record<string, unknown>> | undefined): string | null {
  const { urls } = body ?? {};
  return isRecord(urls) && typeof urls['app'] === 'string' && urls['app'] !== '' ? urls['app'] : null;
}

function addressesOf(reader: SnapshotReader, kind: 'space' | 'page', within?: string): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const { id, holds, body } of reader.outline(kind, within)) {
    const address = holds ? appAddress(body) : null;
    if (address !== null) addresses.set(address, id);
  }
  return addresses;
}

function originOf(address: string): string | undefined {
  return /^https?:\/\/[^/?#]+/i.exec(address)?.[0];
}

/** `https://a/b/c`: `https://a/b/`, `https://a/b`, `https://a/`, `https://a`; the nearest comes first. */
function* foldersOf(address: string): Generator<string> {
  for (let end = address.lastIndexOf('/'); end > 'https://'.length; end = address.lastIndexOf('/', end - 1)) {
    yield address.slice(0, end + 1);
    yield address.slice(0, end);
  }
}
