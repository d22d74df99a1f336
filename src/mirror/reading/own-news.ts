// Of all that differs between two snapshots, what is news to a person.
import { kindNames, kindOf, kindsBelow, type KindName } from '../../contract/index.ts';
import type { Difference } from './diff.ts';

type Sight = Pick<Difference, 'kind' | 'key' | 'change' | 'status'>;

/**
 * What is news of its own, of changes of which parents come first. A revision moves with what it holds, a document tree with its
 * text, and the content of a change request with the request.
 */
export function* ownNews(changes: Iterable<Difference>): IterableIterator<Difference> {
  const goesWithRequest = withRequests();
  for (const one of changes) if (!goesWithRequest(one) && !movesWithOthers(one)) yield one;
}

function movesWithOthers({ kind }: Pick<Difference, 'kind'>): boolean {
  return /revision$|-document$/.test(kind);
}

/**
 * Tells of one difference after the other, parents first, whether it is content of a change request that was told before it and
 * says all: of one that came or went, which has a copy of every page of its space, and of one that is merged, whose pages are told
 * as those of the space.
 */
export function withRequests(): (one: Sight) => boolean {
  const told = new Set<string>();
  return ({ kind, key, change, status }) => {
    if (kind === 'change-request') {
      if (change !== 'changed') told.add(`${change} ${key}`);
      if (status === MERGED) told.add(key);
    }
    if (!requestContent.includes(kind)) return false;
    const request = key.split('/').slice(0, kindOf('change-request').params.length).join('/');
    return told.has(request) || told.has(`${change} ${request}`);
  };
}

/** The status of a change request whose pages are those of its space. */
export const MERGED = 'merged';

const REVISION = 'change-request-revision' satisfies KindName;

/** Kinds of what stands in the content of a change request. */
export const requestContent: readonly KindName[] = [REVISION, ...kindsBelow(REVISION)];

/**
 * Kinds of which a number of changes tells nothing of its own, as it does of all others: what moves with others, and the content of
 * change requests, each of which has a copy of every page of its space.
 */
export const kindsWithOthers: readonly KindName[] = kindNames.filter(
  (kind) => movesWithOthers({ kind }) || requestContent.includes(kind),
);
