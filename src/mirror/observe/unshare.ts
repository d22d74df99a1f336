// What a change request no longer shows as its space did becomes a resource of its own again, as it was: from there on it moves and
// goes like every other one, with the same proofs.
import { ownParameter } from '../../contract/index.ts';
import type { OpenSnapshot } from '../database/database.ts';
import { storeBody } from '../bodies/store-body.ts';
import { legibleTextSql } from '../bodies/stored-text.ts';
import { keyOf, type Params } from './key.ts';
import { addResource, currentOf, isHeld } from './observe.ts';
import { SHARED_KINDS, type SharedEntry, type TreePart } from './shared-trees.ts';

interface Unshared extends TreePart {
  /** Identifying parameters of the change request. */
  readonly params: Params;
  readonly entries: readonly SharedEntry[];
}

/** What has a version of its own now. */
export interface MadeOwn {
  /** Numbers of the pages or files. */
  readonly rids: readonly number[];
  /** The entries that they were. */
  readonly entries: readonly SharedEntry[];
  /** How many of them have a document tree. */
  readonly documents: number;
}

/**
 * Gives each entry a version of its own in the open snapshot, but for those of which the text is damaged beyond reading: they are as
 * what was never seen. Call inside a transaction.
 */
export function unshare(open: OpenSnapshot, { revision, kind, params, entries }: Unshared): MadeOwn {
  const { store } = open.mirror;
  const ridOf = (id: string): number => {
    const own = { ...params, [ownParameter(kind)]: id };
    return (
      currentOf(open.mirror, kind, keyOf(kind, own))?.rid ??
      addResource(open.mirror, { kind, params: own, scope: revision })
    );
  };
  const rids: number[] = [];
  const made: SharedEntry[] = [];
  let documents = 0;
  const own = new Set(entries.map(({ id }) => id));
  // What it stands below may be shared still.
  const parentOf = ({ above, parent }: SharedEntry): number | null =>
    above === null ? null : own.has(above) || isHeld(open.mirror, ridOf(above)) ? ridOf(above) : parent;
  for (const entry of entries) {
    const rid = ridOf(entry.id);
    if (isHeld(open.mirror, rid)) continue;
    const text = entry.text === null ? null : plainText(open, entry.text, rid);
    if (text === undefined) continue;
    rids.push(rid);
    made.push(entry);
    const add = store.prepare(ADD_VERSION);
    add.run(rid, open.id, entry.body, text, entry.object, entry.size, parentOf(entry), entry.position);
    const beside = entry.document === null ? null : besideOf(open, { rid, id: entry.id, kind, params });
    if (beside === null || entry.document === null || isHeld(open.mirror, beside)) continue;
    const document = plainText(open, entry.document, beside);
    if (document === undefined) continue;
    add.run(beside, open.id, document, null, null, null, null, null);
    documents += 1;
  }
  return { rids, entries: made, documents };
}

interface Beside extends Pick<Unshared, 'kind' | 'params'> {
  /** The page that it stands beside. */
  readonly rid: number;
  readonly id: string;
}

/** The number of the document tree beside a page; null for what has none. */
function besideOf({ mirror }: OpenSnapshot, { rid, id, kind, params }: Beside): number | null {
  const { beside } = SHARED_KINDS[kind];
  if (beside === null) return null;
  const own = { ...params, [ownParameter(kind)]: id };
  return (
    currentOf(mirror, beside, keyOf(beside, own))?.rid ?? addResource(mirror, { kind: beside, params: own, scope: rid })
  );
}

const ADD_VERSION = `insert into versions (rid, valid_from, valid_to, body, text, object, size, parent, position)
  values (?, ?, null, ?, ?, ?, ?, ?, ?)`;

/** What holds now is plain; undefined for what can no longer be read. */
function plainText({ mirror }: OpenSnapshot, bid: number, holder: number): number | undefined {
  const sql = `select b.bid is not null as isPlain, ${legibleTextSql('b.data', 't.bid')} as data
    from (select ? as bid) t left join bodies b on b.bid = t.bid`;
  const held = mirror.store.prepare<{ isPlain: 0 | 1; data: string | null }>(sql).get(bid);
  if (held?.isPlain === 1) return bid;
  return typeof held?.data === 'string' ? storeBody(mirror, held.data, holder) : undefined;
}
