// Whether it is enough to read a few spaces again, of a platform of which the rest is mirrored.
import { canonicalJson, isRecord } from '../../base/index.ts';
import { ApiError, type ApiClient } from '../../client/index.ts';
import {
  isSealed,
  lastSealed,
  listSnapshots,
  openedSnapshot,
  readerAt,
  type Mirror,
  type Resource,
} from '../../mirror/index.ts';

interface Wanted {
  readonly mirror: Mirror;
  readonly client: ApiClient;
  /** Those that matter; null where everything does. */
  readonly spaces: readonly string[] | null;
  readonly signal: AbortSignal;
  /** How many spaces there must be for each that is read. */
  readonly least?: number;
}

// Each space that is named costs some requests of its own, and in a quiet night of everything less than one.
const LEAST = 4;

/** The same spaces where they stand as they were mirrored; null where everything is to be read, since only that tells what became of them. */
export async function enoughToRead({ spaces, least = LEAST, ...from }: Wanted): Promise<readonly string[] | null> {
  if (spaces === null || !isWorthwhile(from.mirror, spaces.length * least)) return null;
  try {
    return (await stand(from, spaces)) ? spaces : null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function isWorthwhile(mirror: Mirror, least: number): boolean {
  const last = lastSealed(mirror);
  // A walk of everything that was cut off goes on: a limited one would give it up.
  if (last === undefined || openedSnapshot(mirror)?.scope === null) return false;
  const isMirrored = listSnapshots(mirror).some((one) => one.scope === null && isSealed(one));
  return isMirrored && readerAt(mirror, last.id).count('space') >= least;
}

async function stand({ mirror, client, signal }: Omit<Wanted, 'spaces'>, spaces: readonly string[]): Promise<boolean> {
  const reader = readerAt(mirror, lastSealed(mirror)?.id ?? 0);
  const organizations = new Set<string>();
  for (const spaceId of spaces) {
    const known = reader.one('space', spaceId);
    if (known === undefined) return false;
    const now = await client.callRaw('getSpace', { path: { spaceId } }, { signal });
    if (!isRecord(now) || !isAlike(PLACE, now, known.body)) return false;
    organizations.add(String(known.body['organization']));
  }
  for (const organizationId of organizations) {
    const fields = [...reader.resources('custom-field', organizationId)];
    if (!(await haveFieldsStayed({ client, signal }, organizationId, fields))) return false;
  }
  return true;
}

/** One that was deleted, moved or transferred is told of by what holds it too. */
const PLACE = ['organization', 'parent', 'deletedAt'] as const;

/** A custom field that is deleted takes the values of every space along, and nothing of those spaces moves. */
async function haveFieldsStayed(
  { client, signal }: Pick<Wanted, 'client' | 'signal'>,
  organizationId: string,
  known: readonly Resource[],
): Promise<boolean> {
  const left = new Map(known.map((one) => [one.id, one.body]));
  if (left.size === 0) return true;
  for await (const { items } of client.paginateRaw('listCustomFields', { path: { organizationId } }, { signal })) {
    for (const now of items) {
      const name = String(now['name']);
      const was = left.get(name);
      if (was !== undefined && isAlike(FIELD, now, was)) left.delete(name);
    }
  }
  return left.size === 0;
}

/** What its values depend on: one that was made again under its name has none. */
const FIELD = ['id', 'type', 'options'] as const;

type Body = Readonly<Record<string, unknown>>;

function isAlike(fields: readonly string[], one: Body, other: Body): boolean {
  return fields.every((field) => canonicalJson(one[field] ?? null) === canonicalJson(other[field] ?? null));
}
