import type { FoundLink } from './links.ts';

/** The links of the revisions that were asked for last: a listing is read page by page, and each page needs all of them. */
export interface LinkMemory {
  /** The links of the revision; made when they are not kept, or when anything was written since. */
  get(revision: string, make: () => FoundLink[]): readonly FoundLink[];
}

/** Places where a link stands, kept at most, of all revisions together; a revision that has more is kept alone. */
const MAX_PLACES = 200_000;
/** Each revision counts for this share of them at least, since its links keep its pages. */
const SMALLEST_SHARE = 1 / 8;

/** `changes` rises with every write: other spaces, people and collections decide too whether a link leads somewhere. */
export function createLinkMemory(changes: () => number, maxPlaces: number = MAX_PLACES): LinkMemory {
  const kept = new Map<string, { links: FoundLink[]; places: number }>();
  let madeAt = changes();
  const keep = (links: FoundLink[]) => {
    const places = links.reduce((sum, { holders }) => sum + holders.length, 0);
    return { links, places: Math.max(places, maxPlaces * SMALLEST_SHARE) };
  };
  const forgetOld = (): void => {
    const now = changes();
    if (now !== madeAt) kept.clear();
    madeAt = now;
  };
  return {
    get: (revision, make) => {
      forgetOld();
      const found = kept.get(revision) ?? keep(make());
      kept.delete(revision);
      kept.set(revision, found);
      let places = [...kept.values()].reduce((sum, one) => sum + one.places, 0);
      for (const [oldest, one] of kept) {
        if (places <= maxPlaces || oldest === revision) break;
        kept.delete(oldest);
        places -= one.places;
      }
      return found.links;
    },
  };
}
