// Where a collection or space goes among its siblings as they stand at this moment.
import type { Resource } from '../../../mirror/index.ts';
import { allOf } from '../../listings.ts';
import { isInBin, textAt } from '../../resource.ts';
import type { ApplyContext } from '../../types.ts';
import { neighbour } from '../operations.ts';

/**
 * Behind the nearest sibling that stood before it, else before the first of those that stood with it; undefined where nothing tells.
 * What somebody put there since has no part in it.
 * @param parent Id of the collection on the target; undefined for the top.
 */
export async function positionNow(
  context: ApplyContext,
  resource: Resource,
  parent: string | undefined,
): Promise<object | undefined> {
  const kind = resource.kind === 'space' ? 'space' : 'collection';
  if (context.live === null || resource.position === null) return undefined;
  const idOf = (one: Resource): string => context.ids.get(kind, one.key) ?? one.id;
  const stood = context.containers.below(kind, textAt(resource.body, 'parent')).map(idOf);
  const own = idOf(resource);
  if (!stood.includes(own)) return undefined;
  const now = (await siblingsNow(context, kind, parent)).filter((id) => id !== own && stood.includes(id));
  const previous = stood.slice(0, stood.indexOf(own)).findLast((id) => now.includes(id));
  if (previous !== undefined) return { after: neighbour(kind, previous) };
  const [first] = now;
  return first === undefined ? undefined : { before: neighbour(kind, first) };
}

type Container = 'collection' | 'space';

/** Ids in their order. Spaces outside of every collection stand in no listing. */
async function siblingsNow(
  { client, plan }: ApplyContext,
  kind: Container,
  parent: string | undefined,
): Promise<string[]> {
  if (kind === 'space') {
    if (parent === undefined) return [];
    const path = { collectionId: parent };
    const spaces = await allOf(client.paginate('listCollectionSpaces', { path }));
    return spaces.filter((space) => !isInBin({ ...space })).map(({ id }) => id);
  }
  const path = { organizationId: plan.target.organization };
  const collections = await allOf(client.paginate('listCollections', { path }));
  return collections.filter((one) => one.parent === parent).map(({ id }) => id);
}
