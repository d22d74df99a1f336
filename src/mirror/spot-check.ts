// A look at the platform itself: are some resources, chosen by chance, there what the mirror says they are?
import { isRecord, type Random } from '../base/index.ts';
import { kindNames, kindOf, operationOf, pathParameters, type KindName } from '../contract/index.ts';
import type { Mirror } from './database.ts';
import { readerAt, type Resource } from './reader.ts';
import { resolveSnapshot } from './snapshots.ts';

/** What the platform answered when it was asked for one resource. */
export type LiveAnswer =
  | { readonly is: 'there'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly is: 'gone' }
  | { readonly is: 'unread'; readonly why: string };

export type ReadLive = (resource: Pick<Resource, 'kind' | 'params'>) => Promise<LiveAnswer>;

export interface SpotCheck {
  /** The snapshot that was compared. */
  readonly snapshot: number;
  readonly asked: number;
  readonly same: number;
  /** Changed or deleted on the platform since, by its own account. */
  readonly moved: number;
  /** What differs although the platform says that nothing moved, and what could not be read. */
  readonly problems: readonly { readonly kind: KindName; readonly key: string; readonly problem: string }[];
}

export interface SpotCheckOptions {
  readonly count: number;
  readonly random: Random;
  readonly read: ReadLive;
}

// When one of them differs, the platform says itself that the resource changed.
const MOVING = ['updatedAt', 'editedAt', 'documentId', 'revision', 'status', 'lastSeenAt'];

/** Compares resources of the last sealed snapshot with the platform, one request each. Throws DM_NO_SNAPSHOT. */
export async function spotCheck(mirror: Mirror, { count, random, read }: SpotCheckOptions): Promise<SpotCheck> {
  const { id: snapshot } = resolveSnapshot(mirror, 'latest');
  const reader = readerAt(mirror, snapshot);
  const problems: { kind: KindName; key: string; problem: string }[] = [];
  const chosen = choose(mirror, { snapshot, count, random });
  let same = 0;
  for (const { kind, key } of chosen) {
    const stored = reader.one(kind, key);
    if (stored === undefined) continue;
    const answer = await read(stored);
    if (answer.is === 'unread') problems.push({ kind, key, problem: `could not be read: ${answer.why}` });
    const differing = answer.is === 'there' ? differingFields(stored, answer.body) : [];
    if (answer.is !== 'there' || differing.some((field) => MOVING.includes(field))) continue;
    if (differing.length === 0) same += 1;
    else
      problems.push({
        kind,
        key,
        problem: `differs in ${differing.join(', ')}, which the platform does not account for`,
      });
  }
  return { snapshot, asked: chosen.length, same, moved: chosen.length - same - problems.length, problems };
}

interface Choice {
  readonly snapshot: number;
  readonly count: number;
  readonly random: Random;
}

function choose(mirror: Mirror, { snapshot, count, random }: Choice): { kind: KindName; key: string }[] {
  const kinds = kindNames.filter(isReadAlone);
  const from = `from versions v join resources r on r.rid = v.rid
    where v.valid_from <= ? and (v.valid_to is null or v.valid_to > ?) and r.kind in (${kinds.map(() => '?').join(', ')})
    and not exists (select 1 from unreachable u where u.rid = r.rid)`;
  const values = [snapshot, snapshot, ...kinds];
  const total = mirror.store.prepare<{ n: number }>(`select count(*) as n ${from}`).get(...values)?.n ?? 0;
  const one = mirror.store.prepare<{ kind: KindName; key: string }>(`select r.kind, r.key ${from} limit 1 offset ?`);
  const places = new Set<number>();
  while (places.size < Math.min(count, total)) places.add(random.int(total));
  return [...places].flatMap((place) => one.get(...values, place) ?? []);
}

/** True for a kind whose direct read gives one resource by its own id, and nothing that is drawn for the occasion. */
function isReadAlone(name: KindName): boolean {
  const { get, read, params } = kindOf(name);
  if (get === undefined || read.from === 'beside') return false;
  const named = pathParameters(operationOf(get).path);
  return named.includes(params.at(-1) ?? '') && named.every((parameter) => params.includes(parameter));
}

/** Plain fields that both have with different values, and the text where both have one. */
function differingFields({ kind, body, text }: Resource, live: Readonly<Record<string, unknown>>): string[] {
  const volatile = new Set([...(kindOf(kind).volatile ?? []), kindOf(kind).bytes]);
  const fields = Object.keys(body).filter(
    (field) => !volatile.has(field) && live[field] !== undefined && isPlain(body[field]) && isPlain(live[field]),
  );
  const markdown = live['markdown'];
  const differsInText = text !== null && typeof markdown === 'string' && markdown !== text;
  return [...fields.filter((field) => body[field] !== live[field]), ...(differsInText ? ['markdown'] : [])];
}

function isPlain(value: unknown): boolean {
  return !isRecord(value) && !Array.isArray(value);
}
