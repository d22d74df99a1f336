// Taking in what a walk saw. Unchanged things cost one read; a change closes the version that held and opens the next.
import { jsonText, readableJson } from '../../base/index.ts';
import { kindOf, ownParameter, type KindName } from '../../contract/index.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import { wasThere } from './before.ts';
import { countKind, type KindCounts } from './counts.ts';
import { keyOf, paramsOf, type NumberedResource } from './key.ts';
import { markOf } from './mark.ts';
import { shareBody, storeBody } from '../bodies/store-body.ts';

/** A resource as the platform showed it. */
export interface Observation {
  readonly kind: KindName;
  /** Values of the kind's identifying path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The resource below which it was found; null at the root. */
  readonly scope: number | null;
  /** As sent, less the parts that are kept as resources of their own. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Text fetched apart; null when there is none, left out to keep the one that holds. */
  readonly text?: string | null;
  /** Number of a text that is kept already, instead of `text`. */
  readonly textBody?: number;
  /** Bytes in the object store. */
  readonly object?: { readonly sha256: string; readonly size: number } | null;
  readonly parent?: number | null;
  readonly position?: number | null;
  /** It was taken in and counted in this snapshot before. */
  readonly again?: boolean;
  /** What decides about "changed"; by default the body without its volatile fields. */
  readonly mark?: string;
}

export interface Observed {
  readonly rid: number;
  readonly outcome: 'added' | 'changed' | 'unchanged';
  /** Number of its text that holds now; null when there is none. */
  readonly text: number | null;
}

/** A resource and its version that holds now, whatever the snapshot. */
export interface Current {
  readonly rid: number;
  readonly scope: number | null;
  readonly vid: number | null;
  readonly valid_from: number | null;
  readonly mark: string | null;
  readonly text: number | null;
  readonly body: number | null;
  readonly object: string | null;
  readonly size: number | null;
  readonly parent: number | null;
  readonly position: number | null;
}

const CURRENT = `select r.rid, r.scope, v.vid, v.valid_from, case when v.vid is not null then r.mark end as mark, v.text, v.body, v.object, v.size, v.parent, v.position
from resources r left join versions v on v.rid = r.rid and v.valid_to is null where r.kind = ? and r.key = ?`;

/** What is known of a resource; undefined when it was never seen. `vid` is null when it is gone. */
export function currentOf(mirror: Mirror, kind: KindName, key: string): Current | undefined {
  return mirror.store.prepare<Current>(CURRENT).get(kind, key);
}

/** The same of what holds now; undefined for what is gone as well. */
export function heldByKey(mirror: Mirror, kind: KindName, key: string): CurrentHeld | undefined {
  const known = currentOf(mirror, kind, key);
  return known !== undefined && isOfHeld(known) ? known : undefined;
}

type CurrentHeld = Current & { readonly vid: number; readonly valid_from: number; readonly body: number };

function isOfHeld(known: Current): known is CurrentHeld {
  return known.vid !== null;
}

/** A resource that holds a version now. */
export type Held = Omit<NumberedResource, 'scope'>;

type Row = Pick<Held, 'rid' | 'key'>;

const HELD = `select r.rid, r.key from resources r join versions v on v.rid = r.rid and v.valid_to is null where`;

/** Every resource of a kind that holds now; with an id, those that have it, below whatever they stand. */
export function heldOf(mirror: Mirror, kind: KindName, id?: string): Held[] {
  const [which, values] = id === undefined ? ['', [kind]] : ['r.id = ? and', [id, kind]];
  const rows = mirror.store.prepare<Row>(`${HELD} ${which} r.kind = ? order by r.key`).all(...values);
  return rows.map(toHeld(kind));
}

interface Below {
  /** Number of the resource below which they stand; null at the root. */
  readonly scope: number | null;
  readonly kind: KindName;
  /** Numbers of those that are left out. */
  readonly except?: ReadonlySet<number>;
}

/** Resources of a kind that hold now below a scope. */
export function heldBelow(mirror: Mirror, { scope, kind, except }: Below): Held[] {
  const rows = mirror.store.prepare<Row>(`${HELD} r.scope is ? and r.kind = ?`).all(scope, kind);
  return (except === undefined ? rows : rows.filter(({ rid }) => !except.has(rid))).map(toHeld(kind));
}

function toHeld(kind: KindName): (row: Row) => Held {
  return ({ rid, key }) => ({ rid, kind, key, params: paramsOf(kind, key) });
}

/** True when a resource holds a version now. */
export function isHeld({ store }: Mirror, rid: number): boolean {
  return store.prepare('select 1 from versions where rid = ? and valid_to is null').get(rid) !== undefined;
}

/** The body that holds now; undefined when the resource is gone, or when what is stored of it is damaged. */
export function bodyOf(mirror: Mirror, rid: number): Readonly<Record<string, unknown>> | undefined {
  const row = mirror.store
    .prepare<{ data: string }>(
      'select b.data from versions v join bodies b on b.bid = v.body where v.rid = ? and v.valid_to is null',
    )
    .get(rid);
  return row && readableJson(row.data);
}

/** True for a resource whose text that holds now is not empty. */
export function hasWords({ store }: Mirror, rid: number): boolean {
  const sql =
    "select 1 from versions v join bodies b on b.bid = v.text where v.rid = ? and v.valid_to is null and b.data <> ''";
  return store.prepare(sql).get(rid) !== undefined;
}

/** What is known of the resource that an observation is of. */
export function knownOf(mirror: Mirror, { kind, params }: Pick<Observation, 'kind' | 'params'>): Current | undefined {
  return currentOf(mirror, kind, keyOf(kind, params));
}

/**
 * Records one resource in the open snapshot and counts it. Call inside a transaction. A caller that has looked the resource up already
 * passes it as `known`.
 */
export function observe(
  { mirror, id: snapshot }: OpenSnapshot,
  seen: Observation,
  { known }: { readonly known: Current | undefined } = { known: knownOf(mirror, seen) },
): Observed {
  const mark = seen.mark ?? markOf(seen.kind, seen.body);
  const rid = known?.rid ?? addResource(mirror, seen);
  if (known) transfer(mirror, known, seen);
  if (known && isUnchanged(known, mark, seen) && holdsSameText(mirror, known, seen)) {
    const isNew = known.valid_from !== snapshot && seen.again !== true;
    if (isNew) countKind({ mirror, id: snapshot }, seen.kind, { seen: 1, unchanged: 1 });
    return { rid, outcome: 'unchanged', text: known.text };
  }
  const text = writeVersion({ mirror, id: snapshot }, { seen, rid, mark, known });
  const outcome = known === undefined || known.vid === null ? 'added' : 'changed';
  if (known?.valid_from !== snapshot) countKind({ mirror, id: snapshot }, seen.kind, countsFor(outcome, seen));
  if (known) reappear(mirror, rid);
  if (known?.vid === null) takeBack({ mirror, id: snapshot }, rid, seen.kind);
  return { rid, outcome, text };
}

/** A resource whose key names nothing above it may move to another holder, as a space or collection that is transferred. */
function transfer(mirror: Mirror, { rid, scope }: Current, seen: Observation): void {
  if (seen.scope === null || seen.scope === scope || kindOf(seen.kind).params.length > 1) return;
  mirror.store.prepare('update resources set scope = ? where rid = ?').run(seen.scope, rid);
}

function countsFor(outcome: 'added' | 'changed', { again = false }: Observation): Partial<KindCounts> {
  return again && outcome === 'changed' ? { unchanged: -1, changed: 1 } : { seen: 1, [outcome]: 1 };
}

/** What this snapshot ended, and then saw again, counts as changed instead of as gone and added. */
function takeBack(open: OpenSnapshot, rid: number, kind: KindName): void {
  if (withdrawEnd(open, rid) && wasThere(open, rid, kind)) countKind(open, kind, { gone: -1, added: -1, changed: 1 });
}

/** Takes back that the open snapshot has ended a resource; false when it has not. */
export function withdrawEnd({ mirror, id: snapshot }: OpenSnapshot, rid: number): boolean {
  return mirror.store.prepare('delete from tombstones where rid = ? and snapshot = ?').run(rid, snapshot).changes > 0;
}

/** A resource that was seen is neither missing nor out of reach. */
export function reappear(mirror: Mirror, rid: number): void {
  mirror.store.prepare('delete from unreachable where rid = ?').run(rid);
  mirror.store.prepare('delete from missing where rid = ?').run(rid);
}

function isUnchanged(known: Current, mark: string, seen: Observation): boolean {
  return (
    known.mark === mark &&
    (seen.parent === undefined || known.parent === seen.parent) &&
    (seen.position === undefined || known.position === seen.position) &&
    (seen.object === undefined || known.object === (seen.object?.sha256 ?? null))
  );
}

/** Where the text was read too, it and all that came with it must be the same: a mark alone is not believed then. */
function holdsSameText(mirror: Mirror, known: Current, seen: Observation): boolean {
  if (seen.textBody !== undefined) return known.text === seen.textBody;
  if (seen.text === undefined) return true;
  const held = mirror.store
    .prepare<{ body: string; text: string | null }>(
      'select b.data as body, t.data as text from bodies b left join bodies t on t.bid = ? where b.bid = ?',
    )
    .get(known.text, known.body);
  if (held === undefined || held.text !== seen.text) return false;
  const before = readableJson(held.body);
  return before !== undefined && markOf(seen.kind, before) === markOf(seen.kind, seen.body);
}

/** Gives a number to a resource that was never seen; it holds no version by that. */
export function addResource(
  mirror: Mirror,
  { kind, params, scope }: Pick<Observation, 'kind' | 'params' | 'scope'>,
): number {
  const key = keyOf(kind, params);
  const own = ownParameter(kind);
  const result = mirror.store
    .prepare(ADD_RESOURCE)
    .run(kind, key, params[own] ?? key, scope, JSON.stringify(params), params['spaceId'] ?? null);
  return Number(result.lastInsertRowid);
}

const ADD_RESOURCE = 'insert into resources (kind, key, id, scope, params, space) values (?, ?, ?, ?, ?, ?)';

/** Gives a resource the mark that its next answer is compared with; nothing else of it changes. */
export function setMark(mirror: Mirror, rid: number, mark: string): void {
  mirror.store.prepare('update resources set mark = ? where rid = ?').run(mark, rid);
}

interface NewVersion {
  readonly seen: Observation;
  readonly rid: number;
  readonly mark: string;
  readonly known: Current | undefined;
}

function writeVersion({ mirror, id: snapshot }: OpenSnapshot, { seen, rid, mark, known }: NewVersion): number | null {
  const body = storeBody(mirror, jsonText(seen.body), rid);
  const text = textOf(mirror, { seen, rid, known });
  const object = seen.object === undefined ? known?.object : seen.object?.sha256;
  const size = seen.object === undefined ? known?.size : seen.object?.size;
  const parent = seen.parent === undefined ? known?.parent : seen.parent;
  const position = seen.position === undefined ? known?.position : seen.position;
  // A second look in the same snapshot replaces the first: a version never holds for no snapshot at all.
  if (typeof known?.vid === 'number') {
    const again = known.valid_from === snapshot;
    const sql = again
      ? 'delete from versions where vid = @vid'
      : 'update versions set valid_to = @snapshot where vid = @vid';
    mirror.store.prepare(sql).run(again ? { vid: known.vid } : { snapshot, vid: known.vid });
  }
  mirror.store
    .prepare(
      'insert into versions (rid, valid_from, valid_to, body, text, object, size, parent, position) values (?, ?, null, ?, ?, ?, ?, ?, ?)',
    )
    .run(rid, snapshot, body, text, object ?? null, size ?? null, parent ?? null, position ?? null);
  setMark(mirror, rid, mark);
  return text;
}

function textOf(mirror: Mirror, { seen, rid, known }: Omit<NewVersion, 'mark'>): number | null {
  if (seen.textBody !== undefined) {
    shareBody(mirror, seen.textBody, rid);
    return seen.textBody;
  }
  if (seen.text === undefined) return known?.text ?? null;
  return seen.text === null ? null : storeBody(mirror, seen.text, rid);
}

/** Moves a resource within its siblings without reading it again. */
export function move(
  { mirror, id: snapshot }: OpenSnapshot,
  known: Current,
  place: { parent: number | null; position: number },
): void {
  if (known.vid === null || known.body === null) return;
  const { store } = mirror;
  if (known.valid_from === snapshot) {
    store
      .prepare('update versions set parent = ?, position = ? where vid = ?')
      .run(place.parent, place.position, known.vid);
    return;
  }
  store.prepare('update versions set valid_to = ? where vid = ?').run(snapshot, known.vid);
  store
    .prepare(
      `insert into versions (rid, valid_from, valid_to, body, text, object, size, parent, position)
       select rid, ?, null, body, text, object, size, ?, ? from versions where vid = ?`,
    )
    .run(snapshot, place.parent, place.position, known.vid);
}
