// Links that people have copied from the app: each is as good as a link by the id of what the app shows at its address.
import { addressById, decodePercent, rewriteLinks, type Pieces } from '../../base/index.ts';
import { AppAddresses, type OtherLinks, type StableLink } from '../../export/index.ts';
import { PAGES_AT_ONCE, type SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import { mapLinks } from './links.ts';
import { addressNow, newTarget, shownIn, type ShownAt } from './shown-at.ts';

/** The addresses of a platform, as they lead on from the texts of one space. */
export class AddressLinks implements OtherLinks {
  readonly #addresses: AppAddresses;
  readonly #own: string;
  readonly leads: OtherLinks['leads'];

  /** @param leads Where links into other spaces lead in files of the space. */
  constructor(addresses: AppAddresses, own: string, leads?: OtherLinks['leads']) {
    this.#addresses = addresses;
    this.#own = own;
    this.leads = leads;
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
    return this.rewrite(text, (link, target) => (isMeant(link, target) ? writtenById(link) : undefined));
  }

  /** The text with what is given in place of addresses; undefined leaves one as it is. */
  rewrite(text: string, instead: (link: StableLink, target: string) => string | undefined): string {
    if (!this.traces.some((trace) => text.includes(trace))) return text;
    return rewriteLinks(text, (target, byId) => {
      const link = byId === null ? this.find(target) : null;
      return link === null ? undefined : instead(link, target);
    });
  }

  /** The addresses of a text that lead into other spaces, or to whole ones. */
  outside(text: string): StableLink[] {
    const links: StableLink[] = [];
    this.rewrite(text, (link) => {
      if (isOutside(link)) links.push(link);
      return undefined;
    });
    return links;
  }

  /** How many addresses of a text lead to what is meant. */
  count(text: string, isMeant: (link: StableLink, target: string) => boolean): number {
    let found = 0;
    this.byId(text, (link, target) => {
      if (isMeant(link, target)) found += 1;
      return false;
    });
    return found;
  }
}

export function writtenById(link: StableLink): string {
  return addressById(link) + link.rest;
}

/** True for an address of another space, or of a whole space. */
export function isOutside({ to, space }: Pick<StableLink, 'to' | 'space'>): boolean {
  return to === 'space' || space !== null;
}

interface Turning {
  readonly addresses: AppAddresses;
  readonly ids: Pick<IdMap, 'byId'>;
  /** Without it, or where it knows nothing, a link by address becomes one by id. */
  readonly shown?: ShownAt | undefined;
  /** The space that the text stands in. */
  readonly own: string;
  /** In place an address stays as it is unless it names what has another id now: what came back may be shown at the one that it had. */
  readonly isInPlace: boolean;
  /** True where links within the space lead to addresses too, as in comments. */
  readonly isAnywhere?: boolean;
}

/** The text with every link to what was restored, by its id or by its address, leading to the restored one. */
export function turned(text: string, turning: Turning): string {
  const { addresses, own, ids, shown, isAnywhere = false } = turning;
  const isMeant = addressTurned(turning);
  const addressed = new AddressLinks(addresses, own).rewrite(text, (link, target) => {
    if (!isMeant(link, target)) return undefined;
    const address = isAnywhere || isOutside(link) ? addressNow(link, { ids, own, shown }) : null;
    return address ?? writtenById(link);
  });
  return mapLinks(addressed, { ids, own });
}

interface Standing extends Omit<Turning, 'isInPlace' | 'shown' | 'isAnywhere'> {
  readonly live: Pick<SnapshotReader, 'one'>;
}

/**
 * Texts that a text is as good as once its links lead to what was made anew: as a comment is written, as a page is, and as earlier
 * restores wrote both.
 */
export function formsInPlace(text: string, { live, ...turning }: Standing): string[] {
  const shown = shownIn(live);
  return [{ ...turning, shown, isAnywhere: true }, { ...turning, shown }, turning].map((one) =>
    turnedInPlace(text, one),
  );
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
    return !isInPlace || names(target, id) || (to !== 'space' && isAnew(ids, within) && names(target, within));
  };
}

/** An address may have the signs of an id as they are, or written with escapes. */
function names(target: string, id: string): boolean {
  return target.includes(id) || decodePercent(target).includes(id);
}

function isAnew(ids: Pick<IdMap, 'byId'>, space: string): boolean {
  return (ids.byId('space', space) ?? space) !== space;
}

/** True for a link to what was restored. @param own The space that a link means which names none. */
function isRestoredLink(ids: Pick<IdMap, 'byId'>, { to, space, id }: StableLink, own: string): boolean {
  return ids.byId(to, id, to === 'space' ? null : (space ?? own)) !== undefined;
}

interface Sides {
  readonly addresses: AppAddresses;
  readonly restored: SnapshotReader;
  readonly ids: Pick<IdMap, 'byId'>;
}

/** How many links of restored pages are addresses at which the old platform shows what was restored, and this one does not. */
export function* countOldAddresses({ addresses, restored, ids }: Sides, spaces: ReadonlySet<string>): Pieces<number> {
  const now = new AppAddresses(restored);
  const isOld = (link: StableLink, target: string): boolean => {
    const made = newTarget(ids, link, '');
    return made !== undefined && now.find(target)?.id !== made.id;
  };
  let old = 0;
  let looked = 0;
  for (const space of spaces) {
    const links = new AddressLinks(addresses, '');
    for (const { text } of restored.resources('page', space)) {
      if (++looked % PAGES_AT_ONCE === 0) yield;
      old += text === null ? 0 : links.count(text, isOld);
    }
  }
  return old;
}
