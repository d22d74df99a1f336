// Links that people have copied from the app: each is as good as a link by the id of what the app shows at its address.
import { rewriteLinks } from '../../base/index.ts';
import type { AppAddresses, OtherLinks, StableLink } from '../../export/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';

/** The addresses of a platform, as they lead on from the texts of one space. */
export class AddressLinks implements OtherLinks {
  readonly #addresses: AppAddresses;
  readonly #own: string;

  constructor(addresses: AppAddresses, own: string) {
    this.#addresses = addresses;
    this.#own = own;
  }

  get traces(): readonly string[] {
    return this.#addresses.traces;
  }

  /** A page of the space itself is named alone, as an import does that leads to it from file to file. */
  find(target: string): StableLink | null {
    const link = this.#addresses.find(target);
    if (link === null || link.id === '') return null;
    return link.to === 'page' && link.space === this.#own ? { ...link, space: null } : link;
  }

  /** The text with links by id in place of addresses. */
  byId(text: string, isMeant: (link: StableLink) => boolean = () => true): string {
    if (!this.traces.some((trace) => text.includes(trace))) return text;
    return rewriteLinks(text, (target, byId) => {
      const link = byId === null ? this.find(target) : null;
      return link === null || !isMeant(link) ? undefined : writtenById(link);
    });
  }

  /** How many addresses of a text lead to what is meant. */
  count(text: string, isMeant: (link: StableLink) => boolean): number {
    let found = 0;
    this.byId(text, (link) => {
      if (isMeant(link)) found += 1;
      return false;
    });
    return found;
  }
}

function writtenById({ to, space, id, rest }: StableLink): string {
  const within = to === 'space' || space === null ? '' : `/spaces/${space}`;
  return `${within}/${to}s/${id}${rest}`;
}

/** True for a link to what was restored. @param own The space that a link means which names none. */
export function isRestoredLink(ids: Pick<IdMap, 'byId'>, { to, space, id }: StableLink, own: string): boolean {
  return ids.byId(to, id, to === 'space' ? null : (space ?? own)) !== undefined;
}

interface Sides {
  readonly addresses: AppAddresses;
  readonly restored: SnapshotReader;
  readonly ids: Pick<IdMap, 'byId'>;
}

/** How many links of restored pages are addresses at which the old platform shows what was restored. */
export function countOldAddresses({ addresses, restored, ids }: Sides, spaces: ReadonlySet<string>): number {
  let old = 0;
  for (const space of spaces) {
    const links = new AddressLinks(addresses, '');
    for (const { text } of restored.resources('page', space))
      old += text === null ? 0 : links.count(text, (link) => isRestoredLink(ids, link, ''));
  }
  return old;
}
