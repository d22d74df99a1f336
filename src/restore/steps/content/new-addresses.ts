// Where the app of the target shows what texts lead to by its address. Nobody can build such an address: it is read before a text is written.
import { appAddress } from '../../../export/index.ts';
import { unlessUnreadable } from '../../answers.ts';
import { flatten } from '../../special/page-places.ts';
import { contentOf } from '../../target/content-there.ts';
import type { ApplyContext } from '../../types.ts';
import { AddressLinks, addressTurned, isOutside } from '../../links/address-links.ts';
import { newTarget, type NewTarget, type ShownAt } from '../../links/shown-at.ts';

interface Leading {
  /** The space of the snapshot that the texts stand in. */
  readonly own: string;
  readonly texts: Iterable<string>;
  /** True for links within the space too: of these an import and an edit of pages know the ids, and comments need not. */
  readonly isAnywhere?: boolean;
}

type PageAddresses = ReadonlyMap<string, string | null>;

type Context = Pick<ApplyContext, 'client' | 'addresses' | 'ids' | 'live'>;

/** Those of what texts of one apply lead to. */
export class NewAddresses implements ShownAt {
  readonly #known = new Map<string, string | null>();

  /** @returns Null where none was read, or where the platform tells none. */
  of(target: NewTarget): string | null {
    return this.#known.get(nameOf(target)) ?? null;
  }

  /** Reads anew what these texts lead to: content that was written since may be shown elsewhere. Throws what the platform fails with. */
  async read(context: Context, leading: Leading): Promise<void> {
    await this.#readSpaces(context, targetsOf(context, leading));
  }

  /** Reads only what was not read before, and of a space the addresses of all pages at once: comments come one by one. */
  async readMissing(context: Context, leading: Leading): Promise<void> {
    const targets = targetsOf(context, leading).filter((target) => !this.#known.has(nameOf(target)));
    for (const [space, there] of await this.#readSpaces(context, targets))
      for (const [id, address] of there) this.#known.set(nameOf({ to: 'page', space, id }), address);
  }

  /** Answers the addresses of all pages of the spaces in which some were looked for. */
  async #readSpaces(context: Context, targets: readonly NewTarget[]): Promise<ReadonlyMap<string, PageAddresses>> {
    const pages = new Map<string, NewTarget[]>();
    for (const target of targets) {
      if (target.to === 'page') pages.set(target.space, [...(pages.get(target.space) ?? []), target]);
      else this.#known.set(nameOf(target), await spaceAddress(context, target.id));
    }
    const read = new Map<string, PageAddresses>();
    for (const [spaceId, wanted] of pages) {
      const there = await pageAddresses(context, spaceId);
      for (const target of wanted) this.#known.set(nameOf(target), there.get(target.id) ?? null);
      read.set(spaceId, there);
    }
    return read;
  }
}

function nameOf({ to, space, id }: NewTarget): string {
  return `${to} ${space} ${id}`;
}

/** What they lead to of what was restored: each once. */
function targetsOf({ addresses, ids, live }: Context, { own, texts, isAnywhere = false }: Leading): NewTarget[] {
  const isMeant = addressTurned({ ids, own, isInPlace: live !== null });
  const links = new AddressLinks(addresses, own);
  const targets = new Map<string, NewTarget>();
  for (const text of texts)
    links.rewrite(text, (link, address) => {
      const target = (isAnywhere || isOutside(link)) && isMeant(link, address) ? newTarget(ids, link, own) : undefined;
      if (target !== undefined) targets.set(nameOf(target), target);
      return undefined;
    });
  return [...targets.values()];
}

async function spaceAddress({ client }: Context, spaceId: string): Promise<string | null> {
  const space = await unlessUnreadable(client.call('getSpace', { path: { spaceId } }));
  return space === undefined ? null : appAddress({ ...space });
}

/** By their ids; empty where they cannot be read. */
async function pageAddresses(context: Context, spaceId: string): Promise<PageAddresses> {
  const content = await unlessUnreadable(contentOf(context, { spaceId }));
  return new Map(flatten(content?.pages ?? []).map((page) => [page.id, appAddress({ ...page })]));
}
