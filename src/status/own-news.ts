// Of all that differs between two snapshots, what is news to a person.
import { kindOf } from '../contract/index.ts';
import type { Difference } from '../mirror/index.ts';

/**
 * What is news of its own, of changes of which parents come first. A revision moves with what it holds, and a document tree with
 * its text. A change request that came or went has a copy of every page of its space: these come and go with it.
 */
export function* ownNews(changes: Iterable<Difference>): IterableIterator<Difference> {
  const requests = new Set<string>();
  for (const one of changes) {
    if (one.kind === 'change-request' && one.change !== 'changed') requests.add(`${one.change} ${one.key}`);
    if (movesWithOthers(one) || requests.has(`${one.change} ${requestOfPart(one)}`)) continue;
    yield one;
  }
}

function movesWithOthers({ kind }: Difference): boolean {
  return /revision$|-document$/.test(kind);
}

/** Key of the change request in whose content a resource stands; null where it stands in none. */
function requestOfPart({ kind, key }: Difference): string | null {
  const { read } = kindOf(kind);
  if (read.from !== 'part' || read.of !== 'change-request-revision') return null;
  return key.split('/').slice(0, kindOf(read.of).params.length).join('/');
}
