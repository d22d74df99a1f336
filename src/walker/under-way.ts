// The visits that are begun and have not ended.
import type { Visit } from '../mirror/index.ts';
import { isInTurn, spaceOfPlace } from './order.ts';

export interface UnderWay {
  readonly numbers: ReadonlySet<number>;
  begin(visit: Visit): void;
  end(visit: Visit): void;
  /** True for a visit that is made in its turn, while anything of its space is under way. */
  readonly isAwaited: (visit: Visit) => boolean;
}

export function createUnderWay(): UnderWay {
  const numbers = new Set<number>();
  const ofSpaces = new Map<number, number>();
  const add = (place: number, amount: number): void => {
    const space = spaceOfPlace(place);
    const left = (ofSpaces.get(space) ?? 0) + amount;
    if (left === 0) ofSpaces.delete(space);
    else ofSpaces.set(space, left);
  };
  return {
    numbers,
    begin: ({ seq, place }) => {
      numbers.add(seq);
      add(place, 1);
    },
    end: ({ seq, place }) => {
      numbers.delete(seq);
      add(place, -1);
    },
    isAwaited: ({ place }) => isInTurn(place) && ofSpaces.has(spaceOfPlace(place)),
  };
}
