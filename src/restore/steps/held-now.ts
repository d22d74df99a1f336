// What somebody has put, since the plan was made, into what the plan takes away: it would go with it.
import { kindOf, pathFor, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { heldBy } from '../journal/held-since.ts';
import { itemsOf } from '../listings.ts';
import { textAt, titleOf, type Body } from '../resource.ts';
import type { ApplyContext } from '../types.ts';

type Asking = Pick<ApplyContext, 'client' | 'live' | 'plan'>;

/** Names the first of it; null where there is none, and where the plan was made without looking into such things. */
export async function heldNow(asking: Asking, holder: Resource): Promise<string | null> {
  const { live, plan } = asking;
  if (live === null || plan.archive !== null) return null;
  for (const { kind, below, isIn } of heldBy(holder)) {
    const seen = new Set<string>();
    for (const { id } of live.resources(kind, below)) seen.add(id);
    for await (const body of listed(asking, kind, holder)) {
      const id = textAt(body, kindOf(kind).id ?? 'id') ?? '';
      if (isIn(body) && !seen.has(id)) return `${kind} "${titleOf({ id, body })}"`;
    }
  }
  return null;
}

function listed({ client }: Asking, kind: KindName, { params }: Resource): AsyncIterable<Body> {
  const { read } = kindOf(kind);
  if (read.from !== 'list') throw new Error(`${kind} is not listed`);
  const input = { path: pathFor(read.operation, params), query: read.query ?? {} };
  return itemsOf(client.paginateRaw(read.operation, input));
}
