// Collections as a way to spaces, and the walk that is limited to some of them.
import { isRecord } from '../base/index.ts';
import { addVisit, currentOf } from '../mirror/index.ts';
import { pathFor } from './path.ts';
import { keptBody, type Body } from './parts.ts';
import { take } from './take.ts';
import type { Walk } from './types.ts';

/** Parameters of a `collection` visit: one that a limited walk was told of. */
export interface CollectionVisit {
  readonly key: string;
}

/** The spaces of one collection, to the end of the listing. */
export async function readCollectionSpaces(walk: Walk, collectionId: string): Promise<Body[]> {
  const spaces: Body[] = [];
  const input = { path: pathFor('listCollectionSpaces', { collectionId }) };
  const options = { pageSize: walk.settings.pageSize, signal: walk.signal };
  for await (const page of walk.client.paginateRaw('listCollectionSpaces', input, options)) spaces.push(...page.items);
  return spaces;
}

/** The collection and all that are nested in it, each once. */
export async function readCollection(walk: Walk, { key }: CollectionVisit): Promise<Body[]> {
  const answer = await walk.client.callRaw('getCollection', { path: { collectionId: key } }, { signal: walk.signal });
  const root = isRecord(answer) ? answer : {};
  const organizationId = root['organization'];
  if (typeof organizationId !== 'string') return [root];
  const all: Body[] = [];
  const options = { pageSize: walk.settings.pageSize, signal: walk.signal };
  const input = { path: { organizationId } };
  for await (const page of walk.client.paginateRaw('listCollections', input, options)) all.push(...page.items);
  return [root, ...nestedIn(key, all)];
}

function nestedIn(key: string, all: readonly Body[]): Body[] {
  const direct = all.filter((one) => one['parent'] === key);
  return direct.flatMap((one) => [one, ...(typeof one['id'] === 'string' ? nestedIn(one['id'], all) : [])]);
}

/** Takes in the collections and adds a visit for the spaces of each. What is not among them is not missing: it was not asked for. */
export function takeCollection(walk: Walk, _visit: CollectionVisit, collections: readonly Body[]): void {
  for (const body of collections) {
    const id = body['id'];
    if (typeof id !== 'string') continue;
    const organization = typeof body['organization'] === 'string' ? body['organization'] : '';
    const scope = currentOf(walk.mirror, 'organization', organization)?.rid ?? null;
    take(walk, { kind: 'collection', params: { collectionId: id }, scope, body: keptBody('collection', body) });
    addVisit(walk, { task: 'collection-spaces', params: { key: id } });
  }
}
