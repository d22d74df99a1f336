// The visit of a listing, and of a read that has one or a few answers: read to the end first, then taken in as one.
import { AppError, isRecord } from '../base/index.ts';
import {
  kindOf,
  operationOf,
  parameterWord,
  pathParameters,
  type AnyOperationName,
  type KindName,
} from '../contract/index.ts';
import {
  addVisit,
  bury,
  markMissing,
  notAmong,
  observe,
  reappear,
  setReadMark,
  type Missing,
} from '../mirror/index.ts';
import { visitChildren } from './children.ts';
import { idIn, keptBody, type Body } from './parts.ts';
import { seeSpace } from './spaces.ts';
import type { Walk } from './types.ts';

/** Parameters of a `listing` visit. */
export interface ListingVisit {
  readonly kind: KindName;
  readonly scope: number | null;
  readonly path: Readonly<Record<string, string>>;
  readonly mark: string | null;
}

/** Reads every item of a kind below a parent; several passes where a filter hides the rest. */
export async function readListing(walk: Walk, visit: ListingVisit): Promise<Body[]> {
  const { read } = kindOf(visit.kind);
  if (read.from === 'single') {
    const answer = await walk.client.callRaw(
      read.operation,
      { path: pathFor(read.operation, visit.path) },
      { signal: walk.signal },
    );
    return (Array.isArray(answer) ? answer : [answer]).filter(isRecord);
  }
  if (read.from !== 'list') throw new Error(`${visit.kind} has no listing`);
  const items: Body[] = [];
  for (const value of read.each?.values ?? [null]) {
    const filter = read.each && value !== null ? { [read.each.parameter]: value } : {};
    const input = { path: pathFor(read.operation, visit.path), query: { ...read.query, ...filter } };
    const options = { pageSize: walk.settings.pageSize, signal: walk.signal };
    for await (const page of walk.client.paginateRaw(read.operation, input, options)) items.push(...page.items);
  }
  return items;
}

/** Takes in a listing that was read to its end: what is there, what is there no more, and what lies below. */
export function takeListing(walk: Walk, visit: ListingVisit, items: readonly Body[]): void {
  const seen = new Set<number>();
  for (const body of items) seen.add(takeItem(walk, visit, body));
  absentAfter(walk, { ...visit, listed: items.length, missing: notAmong(walk.mirror, visit.scope, visit.kind, seen) });
  if (visit.scope !== null)
    setReadMark(walk.mirror, walk.id, { scope: visit.scope, kind: visit.kind, mark: visit.mark ?? '' });
}

/** Takes in one resource of a listing, and adds the visits below it. */
export function takeItem(walk: Walk, visit: ListingVisit, body: Body): number {
  const params = paramsOf(visit, body);
  for (const [field, embedded] of Object.entries(kindOf(visit.kind).embeds ?? {})) {
    const value = body[field];
    if (embedded === 'space' && isRecord(value)) seeSpace(walk, value, visit.kind);
  }
  const { rid } = observe(walk.mirror, walk.id, {
    kind: visit.kind,
    params,
    scope: visit.scope,
    body: keptBody(visit.kind, body),
  });
  reappear(walk.mirror, rid);
  if (visit.kind === 'collection')
    addVisit(walk.mirror, walk.id, { task: 'collection-spaces', params: { key: params['collectionId'] } });
  visitChildren(walk, { kind: visit.kind, rid, key: Object.values(params).join('/'), params, body });
  return rid;
}

function paramsOf(visit: ListingVisit, body: Body): Record<string, string> {
  const { params } = kindOf(visit.kind);
  const id = idIn(visit.kind, body);
  const own = params.at(-1);
  if (kindOf(visit.kind).id !== null && id === undefined) {
    throw new AppError('DM_BAD_RESPONSE', `A ${visit.kind} in a listing has no ${kindOf(visit.kind).id}`, {
      hint: 'The platform sent something that its API does not document; nothing of this listing was taken in.',
      details: { kind: visit.kind, path: visit.path },
    });
  }
  return Object.fromEntries(
    params.map((name) => [name, name === own && id !== undefined ? id : (visit.path[name] ?? '')]),
  );
}

export interface Absent {
  readonly kind: KindName;
  readonly scope: number | null;
  readonly path: Readonly<Record<string, string>>;
  readonly listed: number;
  readonly missing: readonly Missing[];
}

/** What a complete listing no longer has is asked for directly; where the API has no such read, an empty answer is only suspected once. */
export function absentAfter(walk: Walk, { kind, listed, missing, path }: Absent): void {
  const listing = `${kind} below ${Object.values(path).join('/') || 'the platform'}`;
  for (const one of missing) {
    if (kindOf(kind).get !== undefined && kindOf(kind).id !== null) {
      markMissing(walk.mirror, walk.id, one.rid);
      addVisit(walk.mirror, walk.id, { task: 'absent', stage: 1, params: { ...one, listing, listed } });
    } else if (listed > 0 || wasMissingBefore(walk, one.rid)) {
      bury(walk.mirror, walk.id, one, { listing, listed, direct: null });
    } else {
      markMissing(walk.mirror, walk.id, one.rid);
    }
  }
}

function wasMissingBefore(walk: Walk, rid: number): boolean {
  const row = walk.mirror.store
    .prepare<{ first_missing: number }>('select first_missing from missing where rid = ?')
    .get(rid);
  return row !== undefined && row.first_missing < walk.id;
}

/** The path parameters of an operation out of those known; throws on one that is missing, which is a fault of the contract. */
export function pathFor(operation: AnyOperationName, known: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    pathParameters(operationOf(operation).path).map((name) => {
      const value = known[name];
      if (value === undefined) throw new Error(`${operation} needs the id of its ${parameterWord(name)}`);
      return [name, value];
    }),
  );
}
