// Links that people have copied from the app: each is as good as a link by the id of what the app shows at its address.
import { rewriteLinks } from '../../base/index.ts';
import type { AppAddresses, OtherLinks, StableLink } from '../../export/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import { mapLinks } from './links.ts';

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
  byId(text: string, isMeant: (link: StableLink, target: string) => boolean = () => true): string {
    if (!this.traces.some((trace) => text.includes(trace))) return text;
    return rewriteLinks(text, (target, byId) => {
      const link = byId === null ? this.find(target) : null;
      return link === null || !isMeant(link, target) ? undefined : writtenById(link);
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

export function writtenById({ to, space, id, rest }: StableLink): string {
  const within = to === 'space' || space === null ? '' : `/spaces/${space}`;
  return `${within}/${to}s/${id}${rest}`;
}

interface Turning {
  readonly addresses: AppAddresses;
  readonly ids: Pick<IdMap, 'byId'>;
  /** The space that the text stands in. */
  readonly own: string;
  /** In place an address stays as it is unless it names what has another id now: what came back may be shown at the one that it had. */
  readonly isInPlace: boolean;
}

/** The text with every link to what was restored, by its id or by its address, leading to the restored one. */
export function turned(text: string, turning: Turning): string {
  const { addresses, own, ids } = turning;
  return mapLinks(new AddressLinks(addresses, own).byId(text, addressTurned(turning)), ids);
}

export function turnedInPlace(text: string, turning: Omit<Turning, 'isInPlace'>): string {
  return turned(text, { ...turning, isInPlace: true });
}

/** True for an address that is to lead to what was restored. */
export function addressTurned({
  ids,
  own,
  isInPlace,
}: Pick<Turning, 'ids' | 'own' | 'isInPlace'>): (link: StableLink, target: string) => boolean {
  return (link, target) => {
    const { to, space, id } = link;
    if (!isRestoredLink(ids, link, own)) return false;
    const within = space ?? own;
    return !isInPlace || target.includes(id) || (to !== 'space' && isAnew(ids, within) && target.includes(within));
  };
}

function isAnew(ids: Pick<IdMap, 'byId'>, space: string): boolean {
  return (ids.byId('space', space) ?? space) !== space;
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
