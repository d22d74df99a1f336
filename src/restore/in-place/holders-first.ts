// Which of two is written first: kinds as they are declared, and collections that hold others before those.
import { kindNames } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { textAt } from '../resource.ts';

type Find = (id: string) => Resource | undefined;

/** For sorting; `collection` finds those that count as holders. */
export function holdersFirst(collection: Find): (a: Resource, b: Resource) => number {
  const order = ({ kind }: Resource): number => kindNames.indexOf(kind);
  return (a, b) => order(a) - order(b) || depthOf(a, collection) - depthOf(b, collection);
}

/** How many collections it stands in; such as are said to stand in each other count once. */
function depthOf({ kind, body }: Resource, collection: Find): number {
  const above = new Set<string>();
  let parent = kind === 'collection' ? textAt(body, 'parent') : undefined;
  while (parent !== undefined && !above.has(parent)) {
    above.add(parent);
    parent = textAt(collection(parent)?.body, 'parent');
  }
  return above.size;
}
