// The chain of manifests: each snapshot's hash covers what began and ended in it, what is recorded of it, and the hash of the one before.
import { createHash, type Hash } from 'node:crypto';
import type { Pieces } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';
import { countsOf } from '../observe/counts.ts';
import type { SnapshotRow } from '../database/tables.ts';
import { SEALED } from './sealed-states.ts';

interface Entry {
  readonly vid: number;
  readonly kind: string;
  readonly key: string;
  /** Null where the row that it names is not there. */
  readonly body: Buffer | null;
  readonly text: Buffer | null;
  readonly object: string | null;
  readonly size: number | null;
  /** Key of its nested parent. */
  readonly parent: string | null;
  readonly position: number | null;
}

/**
 * What a line of the manifest says of a version, by the form of the manifest. Form 1 leaves out place and size, form 2 the record of the
 * snapshot. Snapshots keep the form that they were sealed with.
 */
const FORMS = { 1: shortly, 2: fully, 3: fully } as const;

function shortly({ object }: Entry): string {
  return object ?? '-';
}

function fully({ object, size, parent, position }: Entry): string {
  return `${object ?? '-'} ${size ?? '-'} ${JSON.stringify(parent)} ${position ?? '-'}`;
}

type Form = keyof typeof FORMS;
const NEWEST: Form = 3;
const EARLIER = [2, 1] as const satisfies readonly Form[];
/** The first form that covers what is recorded of the snapshot. */
const RECORDED: Form = 3;

const BEGUN = `select v.vid, r.kind, r.key, coalesce(b.hash, c.hash) as body, coalesce(t.hash, u.hash) as text, v.object, v.size, p.key as parent, v.position
from versions v join resources r on r.rid = v.rid left join resources p on p.rid = v.parent
left join bodies b on b.bid = v.body left join superseded c on c.bid = v.body
left join bodies t on t.bid = v.text left join superseded u on u.bid = v.text
where v.valid_from > ? and v.valid_from <= ? order by v.vid`;
const ENDED = `select v.vid from versions v where v.valid_to > ? and v.valid_to <= ? and v.valid_from <= ? order by v.vid`;

/** What is said of a snapshot as a whole. What it used is left out: that is known last. */
export type SnapshotRecord = Pick<SnapshotRow, (typeof RECORD)[number]>;

const RECORD = ['state', 'mode', 'scope', 'origin', 'contract_version', 'started_at', 'sealed_at', 'reason'] as const;
// What the record rests on: the failures, and the evidence of each end. The counts are hashed with the record itself.
const RECORD_ROWS = [
  `select kind, resource, request, status, code, error, at from requests_failed
  where snapshot = @snapshot order by id`,
  `select r.kind, r.key, t.snapshot, t.first_missing, t.confirmed_at, t.evidence
  from versions v join tombstones t on t.rid = v.rid and t.snapshot = v.valid_to join resources r on r.rid = v.rid
  where v.valid_to > @before and v.valid_to <= @snapshot order by v.vid`,
];

/** A snapshot behind the one before it, whose hash is null where there is none. */
interface Link {
  readonly snapshot: number;
  readonly record: SnapshotRecord;
  readonly previous: string | null;
  readonly form?: Form;
}

// So many rows are hashed in some ten milliseconds.
const PIECE_ROWS = 1000;

/** The hash of a snapshot's manifest. Costs what changed in it. */
export function* manifestHash(mirror: Mirror, { snapshot, record, previous, form = NEWEST }: Link): Pieces<string> {
  const before = previousOf(mirror, snapshot);
  const hash = createHash('sha256').update(`docmirror manifest ${form}\n${previous ?? '-'}\n${snapshot}\n`);
  let rows = 0;
  for (const row of mirror.store.prepare<Entry>(BEGUN).iterate(before, snapshot)) {
    const [body, text] = [row.body, row.text].map((one) => one?.toString('hex') ?? '-');
    hash.update(`+ ${row.kind} ${row.key} ${body} ${text} ${FORMS[form](row)}\n`);
    if (++rows % PIECE_ROWS === 0) yield;
  }
  for (const row of mirror.store.prepare<{ vid: number }>(ENDED).iterate(before, snapshot, before))
    hash.update(`- ${row.vid}\n`);
  takeSharedTrees(mirror, hash, { before, snapshot });
  takeRefused(mirror, hash, snapshot);
  if (form >= RECORDED) yield* takeRecord(mirror, hash, { before, snapshot, record });
  return hash.digest('hex');
}

const SHARED_BEGUN = `select r.key, s.kind, s.mark, s.hash from shared_trees s join resources r on r.rid = s.rid
  where s.valid_from > ? and s.valid_from <= ? order by s.tid`;
const SHARED_ENDED =
  'select tid from shared_trees where valid_to > ? and valid_to <= ? and valid_from <= ? order by tid';

/** What settled change requests show as their spaces did. Where there is none the hash is as before there could be any. */
function takeSharedTrees(
  { store }: Mirror,
  hash: Hash,
  { before, snapshot }: { before: number; snapshot: number },
): void {
  for (const tree of store.prepare<object>(SHARED_BEGUN).all(before, snapshot))
    hash.update(`* ${JSON.stringify(tree)}\n`);
  for (const { tid } of store.prepare<{ tid: number }>(SHARED_ENDED).all(before, snapshot, before))
    hash.update(`/ ${tid}\n`);
}

const REFUSED = 'select kind, resource, scope, request, status from refused where snapshot = ? order by kind, resource';

/** What is refused to the token, by which a complete snapshot is one. Where there is none the hash is as before there could be any. */
function takeRefused({ store }: Mirror, hash: Hash, snapshot: number): void {
  for (const one of store.prepare<object>(REFUSED).all(snapshot)) hash.update(`! ${JSON.stringify(one)}\n`);
}

interface Recorded extends Pick<Link, 'snapshot' | 'record'> {
  /** Number of the one before. */
  readonly before: number;
}

function* takeRecord(mirror: Mirror, hash: Hash, { before, snapshot, record }: Recorded): Pieces<void> {
  hash.update(`= ${JSON.stringify([RECORD.map((field) => record[field]), countsOf(mirror, snapshot)])}\n`);
  let rows = 0;
  for (const sql of RECORD_ROWS) {
    hash.update('=\n');
    for (const row of mirror.store.prepare<object>(sql).iterate({ before, snapshot })) {
      hash.update(`${JSON.stringify(Object.values(row))}\n`);
      if (++rows % PIECE_ROWS === 0) yield;
    }
  }
}

function previousOf(mirror: Mirror, snapshot: number): number {
  return (
    mirror.store
      .prepare<{ id: number | null }>(`select max(id) as id from snapshots where id < ? and state in ${SEALED}`)
      .get(snapshot)?.id ?? 0
  );
}

const ALL_SEALED = `select * from snapshots where state in ${SEALED} order by id`;

/** The first snapshot whose manifest no longer fits what is stored; null when the chain is whole. */
export function* firstTampered(mirror: Mirror): Pieces<number | null> {
  const rows = mirror.store.prepare<SnapshotRow & { id: number; manifest_hash: string }>(ALL_SEALED).all();
  let previous: string | null = null;
  for (const row of rows) {
    const link = { snapshot: row.id, record: row, previous };
    if (row.previous_hash !== previous || !(yield* isSealedBy(mirror, row.manifest_hash, link))) return row.id;
    yield;
    previous = row.manifest_hash;
  }
  return null;
}

function* isSealedBy(mirror: Mirror, hash: string, link: Link): Pieces<boolean> {
  for (const form of [NEWEST, ...EARLIER]) if ((yield* manifestHash(mirror, { ...link, form })) === hash) return true;
  return false;
}

/** Writes the chain anew over what is stored, after snapshots were dropped on purpose. The caller has checked the old chain. */
export function* sealAgain(mirror: Mirror): Pieces<void> {
  const rows = mirror.store.prepare<SnapshotRow & { id: number }>(ALL_SEALED).all();
  let previous: string | null = null;
  for (const row of rows) {
    const { id } = row;
    const hash: string = yield* manifestHash(mirror, { snapshot: id, record: row, previous });
    mirror.store
      .prepare('update snapshots set previous_hash = ?, manifest_hash = ? where id = ?')
      .run(previous, hash, id);
    previous = hash;
    yield;
  }
}
