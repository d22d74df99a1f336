// Places at which sites show spaces, taken away and put back by hand: the same space at the same place has another id then.
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { Made } from '../journal/lineage.ts';
import { idAt, keyAbove, textAt } from '../resource.ts';
import { spacesIn } from '../special/site-order.ts';

interface Sides {
  readonly organization: string;
  readonly wanted: SnapshotReader;
  readonly live: SnapshotReader;
}

/**
 * What stands for what was lost: the platform takes no second place for the same space there.
 * @param isMade True for the id of a place that a restore has made: of these its journal tells.
 */
export function* placesPutBack(sides: Sides, isMade: (id: string) => boolean): IterableIterator<Made> {
  for (const place of sides.wanted.resources('site-space', sides.organization)) {
    const found = sides.live.one(place.kind, place.key) === undefined ? putBack(sides, place) : undefined;
    if (found !== undefined && !isMade(found.id)) yield { kind: place.kind, key: place.key, id: found.id };
  }
}

function putBack({ wanted, live }: Sides, { key, body }: Resource): Resource | undefined {
  const site = live.one('site', keyAbove(key));
  const beside = site === undefined ? [] : spacesIn(live, site, textAt(body, 'section'));
  return beside.find(
    (one) => idAt(one.body['space']) === idAt(body['space']) && wanted.one(one.kind, one.key) === undefined,
  );
}
