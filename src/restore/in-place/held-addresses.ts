// Addresses that pages are to have back and that other pages have by now, which nobody asked to move or to take away: those keep them,
// since a platform would number one of the two, and nobody knows which.
import type { Outlined, Resource } from '../../mirror/index.ts';
import { textAt, titleOf } from '../resource.ts';
import type { FieldMend, PageMend } from '../types.ts';
import type { Changed, Divergence } from './divergence.ts';
import { isLink, nameBelow, otherName } from '../special/page-places.ts';

/** What stands, and what becomes of it. */
interface StandingPages {
  /** The page below which a page that is set back will stand; null for the top. */
  readonly belowOf: (one: Changed) => string | null;
  /** The page that has that address in the space of the page. */
  readonly standingAt: (page: Resource, below: string | null) => Outlined | undefined;
  /** True for a page that is taken away. */
  readonly isGoing: (page: Outlined) => boolean;
}

/** What becomes of the address of a page whose own another page keeps. */
export interface HeldAddress {
  readonly holder: Outlined;
  /** What it is given instead, where it cannot keep the one that it has; null where it keeps that. */
  readonly instead: FieldMend | null;
}

/** Looks at all pages that are set back, of all spaces. */
export class HeldAddresses {
  readonly #held = new Map<string, HeldAddress>();
  /** Pages whose addresses are free once all are set back. */
  readonly #leaving = new Set<string>();

  constructor(changed: readonly Changed[], standing: StandingPages) {
    const places = changed.filter(isNamed).map((one) => ({ one, below: standing.belowOf(one) }));
    const isLeaving = ({ one: { wanted, live }, below }: Place): boolean =>
      isLink(wanted) || nameBelow(live.parent, live) !== nameBelow(below, wanted);
    const moving = places.filter(isLeaving);
    for (const { one } of moving) this.#leaving.add(one.live.id);
    const named = moving.filter(({ one }) => !isLink(one.wanted));
    // A page that stays where it is may be the one whose address another was to have.
    let isNew = true;
    while (isNew) isNew = named.filter((place) => this.#hold(place, standing)).length > 0;
  }

  of({ id }: Resource): HeldAddress | undefined {
    return this.#held.get(id);
  }

  /** True for a page that is set back to another address than it has. */
  leaves(id: string): boolean {
    return this.#leaving.has(id);
  }

  /** Notes a page that cannot have its address; true when that is found only now. */
  #hold({ one: { wanted, live }, below }: Place, { standingAt, isGoing }: StandingPages): boolean {
    const holder = standingAt(wanted, below);
    if (this.#held.has(live.id) || holder === undefined || holder.id === live.id) return false;
    if (isGoing(holder) || this.#leaving.has(holder.id)) return false;
    const isElsewhere = below !== live.parent;
    const given = { field: 'slug', from: textAt(live.body, 'slug') ?? null, to: otherName(wanted) };
    this.#held.set(live.id, { holder, instead: isElsewhere ? given : null });
    if (!isElsewhere) this.#leaving.delete(live.id);
    return true;
  }
}

interface Place {
  readonly one: Changed;
  readonly below: string | null;
}

/** What is a link now has no address that another page could want. */
function isNamed({ live }: Changed): boolean {
  return live.kind === 'page' && !isLink(live);
}

export function takenBy({ holder }: Pick<HeldAddress, 'holder'>): string {
  return `page ${titleOf(holder)} has its address`;
}

/** The name that it gets instead; null when nothing that is set back or brought back is to have its address. */
export function wayFor(
  { missing, changed }: Pick<Divergence, 'missing' | 'changed'>,
  { wanted, live }: Changed,
): FieldMend | null {
  if (!isLink(wanted) || isLink(live)) return null;
  const [space, place] = [wanted.params['spaceId'], nameBelow(live.parent, live)];
  const isOwner = changed
    .map((one) => one.wanted)
    .concat(missing)
    .some((one) => one.kind === 'page' && one.params['spaceId'] === space && nameBelow(one.parent, one) === place);
  return isOwner ? { field: 'slug', from: textAt(live.body, 'slug') ?? null, to: otherName(live) } : null;
}

/** The address that the plan says a page is set back to; undefined where it says none. */
export function addressSaid({ fields = [] }: PageMend): string | undefined {
  const to = fields.find(({ field }) => field === 'slug')?.to;
  return typeof to === 'string' ? to : undefined;
}
