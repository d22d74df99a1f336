// Snapshots made by hand: what is seen and what is buried, through the mirror's own functions.
import { writeFile } from 'node:fs/promises';
import { atOnce, sha256 } from '../../src/base/index.ts';
import {
  bury,
  currentOf,
  observe,
  openSnapshot,
  sealSnapshot,
  type Brake,
  type Mirror,
  type Observation,
  type Snapshot,
} from '../../src/mirror/index.ts';
import { kindNames, kindOf, type KindName } from '../../src/contract/index.ts';

export const NO_BRAKE: Brake = { deletedShare: 2, deletedCount: 1e9, rewrittenShare: 2, rewrittenCount: 1e9 };
const EVIDENCE = {
  listing: 'collection below org',
  listed: 3,
  direct: { request: 'GET /v1/collections/{collectionId}', status: 404 },
};

export interface Hand {
  readonly id: number;
  /** Number of the resource. Unless told otherwise it lies in what its path names, where that was seen before. */
  readonly see: (seen: Partial<Observation> & Pick<Observation, 'kind' | 'params' | 'body'>) => number;
  readonly bury: (kind: KindName, key: string) => number;
}

/** Opens a snapshot, lets the given work fill it, and seals it. */
export function takeSnapshot(mirror: Mirror, work: (hand: Hand) => void, brake: Brake = NO_BRAKE): Snapshot {
  const id = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
  fill(mirror, id, work);
  return atOnce(sealSnapshot({ mirror, id }, brake));
}

/** Fills an open snapshot further, without sealing it. */
export function fill(mirror: Mirror, id: number, work: (hand: Hand) => void): void {
  mirror.store.transaction(() =>
    work({
      id,
      see: (seen) => observe({ mirror, id }, { scope: aboveOf(mirror, seen), ...seen }).rid,
      bury: (kind, key) => {
        const known = currentOf(mirror, kind, key);
        return known === undefined || known.vid === null ? 0 : bury({ mirror, id }, { rid: known.rid }, EVIDENCE);
      },
    }),
  );
}

function aboveOf(mirror: Mirror, { kind, params }: Pick<Observation, 'kind' | 'params'>): number | null {
  const names = kindOf(kind).params.slice(0, -1);
  const key = names.map((name) => params[name]).join('/');
  const above = kindNames.filter((name) => kindOf(name).id === 'id' && kindOf(name).params.join() === names.join());
  return above.map((name) => currentOf(mirror, name, key)?.rid).find((rid) => rid !== undefined) ?? null;
}

export function collection(id: string, fields: Record<string, unknown> = {}) {
  return { kind: 'collection' as const, params: { collectionId: id }, body: { object: 'collection', id, ...fields } };
}

export function page(id: string, markdown: string, fields: Record<string, unknown> = {}) {
  return {
    kind: 'page' as const,
    params: { spaceId: 's1', pageId: id },
    body: { id, type: 'document', title: id, path: id, documentId: `${id} ${markdown}`, ...fields },
    text: markdown,
  };
}

/** Bytes in the object store; their hash. */
export async function put(mirror: Mirror, text: string): Promise<string> {
  const temporary = mirror.objects.temporary(sha256(text));
  await writeFile(temporary, text);
  await mirror.objects.adopt(temporary, sha256(text));
  return sha256(text);
}
