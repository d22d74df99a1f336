// What a mirror holds at a snapshot, in a form that two mirrors can be compared in.
import { kindNames, kindOf, type KindName } from '../../src/contract/index.ts';
import { readerAt, recipeOf, runQuery, type Mirror } from '../../src/mirror/index.ts';
import type { TestWorld } from './world.ts';

export interface HeldState {
  body: Record<string, unknown>;
  text: string | null;
  sha256: string | null;
  parent: string | null;
  position: number | null;
}

/** Everything that holds at a snapshot, by kind and key; without the fields whose change is not news. */
export function stateOf(mirror: Mirror, snapshot: number): Record<string, HeldState> {
  const state: Record<string, HeldState> = {};
  for (const kind of kindNames) {
    // What the platform derives (the state of links) moves with other spaces too, and is read on its own night.
    if (kindOf(kind).derived) continue;
    for (const one of readerAt(mirror, snapshot).resources(kind)) {
      const { text, object, parent, position } = one;
      const body = withoutVolatile(kind, one.body);
      state[`${kind} ${one.key}`] = { body, text, sha256: object?.sha256 ?? null, parent, position };
    }
  }
  return state;
}

/** What a world holds now: as a first walk into another mirror finds it. */
export async function truthOf(world: TestWorld): Promise<Record<string, HeldState>> {
  using fresh = await world.newMirror();
  return stateOf(fresh, (await world.sync({ mirror: fresh })).snapshot.id);
}

function withoutVolatile(kind: KindName, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const volatile = new Set(kindOf(kind).volatile ?? []);
  return Object.fromEntries(Object.entries(body).filter(([field]) => !volatile.has(field)));
}

/** How many versions a view has in its history. */
export function versions(mirror: Mirror, view: string): number {
  return mirror.store.driver.prepare<[], { n: number }>(`select count(*) as n from ${view}_history`).get()?.n ?? 0;
}

/** Rows of any SQL over the mirror's own connection. */
export function rowsOf(mirror: Mirror, sql: string, ...values: unknown[]): Record<string, unknown>[] {
  return mirror.store.driver.prepare<unknown[], Record<string, unknown>>(sql).all(...values);
}

/** Plain texts that no list of hashes names, or more than one: they would be kept twice. None, always. */
export function unlisted(mirror: Mirror): Record<string, unknown>[] {
  const listed = 'select hash, bid from body_hashes union all select hash, bid from body_hashes_new';
  return rowsOf(
    mirror,
    `select bid from bodies b where (select count(*) from (${listed}) h where h.bid = b.bid and h.hash = b.hash) <> 1`,
  );
}

/** What the report of dangling references says at the last snapshot, but for comments on a page that the platform has deleted. */
export function danglingIn(mirror: Mirror): unknown[][] {
  const { rows } = runQuery(mirror.dataDir, recipeOf('dangling-references')?.sql ?? '', null);
  return rows.filter(([view, reference]) => view !== 'comments' || reference !== 'page');
}

/** Bytes of the database that are in use. */
export function bytesInUse(mirror: Mirror): number {
  const of = (name: string): number => Number(mirror.store.driver.pragma(name, { simple: true }));
  return (of('page_count') - of('freelist_count')) * of('page_size');
}
