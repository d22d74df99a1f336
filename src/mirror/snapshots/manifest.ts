// The chain of manifests: each snapshot's hash covers what began and ended in it and the hash of the one before.
import { createHash } from 'node:crypto';
import type { Pieces } from '../../base/index.ts';
import type { Mirror } from '../database/database.ts';

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

/** What a line says of a version. The first form said nothing of its place and size; what was sealed by it stays as it is. */
const FORMS = {
  1: ({ object }: Entry) => object ?? '-',
  2: ({ object, size, parent, position }: Entry) =>
    `${object ?? '-'} ${size ?? '-'} ${JSON.stringify(parent)} ${position ?? '-'}`,
} as const;

type Form = keyof typeof FORMS;
const NEWEST: Form = 2;

const BEGUN = `select v.vid, r.kind, r.key, coalesce(b.hash, c.hash) as body, coalesce(t.hash, u.hash) as text, v.object, v.size, p.key as parent, v.position
from versions v join resources r on r.rid = v.rid left join resources p on p.rid = v.parent
left join bodies b on b.bid = v.body left join superseded c on c.bid = v.body
left join bodies t on t.bid = v.text left join superseded u on u.bid = v.text
where v.valid_from > ? and v.valid_from <= ? order by v.vid`;
const ENDED = `select v.vid from versions v where v.valid_to > ? and v.valid_to <= ? and v.valid_from <= ? order by v.vid`;

/** A snapshot behind the one before it, whose hash is null where there is none. */
interface Link {
  readonly snapshot: number;
  readonly previous: string | null;
  readonly form?: Form;
}

// So many rows are hashed in some ten milliseconds.
const PIECE_ROWS = 1000;

/** The hash of a snapshot's manifest. Costs what changed in it. */
export function* manifestHash(mirror: Mirror, { snapshot, previous, form = NEWEST }: Link): Pieces<string> {
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
  return hash.digest('hex');
}

function previousOf(mirror: Mirror, snapshot: number): number {
  return (
    mirror.store
      .prepare<{ id: number | null }>(
        `select max(id) as id from snapshots where id < ? and state in ('complete', 'partial', 'suspect')`,
      )
      .get(snapshot)?.id ?? 0
  );
}

/** The first snapshot whose manifest no longer fits what is stored; null when the chain is whole. */
export function* firstTampered(mirror: Mirror): Pieces<number | null> {
  const rows = mirror.store
    .prepare<{ id: number; manifest_hash: string; previous_hash: string | null }>(
      `select id, manifest_hash, previous_hash from snapshots where state in ('complete', 'partial', 'suspect') order by id`,
    )
    .all();
  let previous: string | null = null;
  for (const row of rows) {
    const link = { snapshot: row.id, previous };
    if (row.previous_hash !== previous || !(yield* isSealedBy(mirror, row.manifest_hash, link))) return row.id;
    yield;
    previous = row.manifest_hash;
  }
  return null;
}

function* isSealedBy(mirror: Mirror, hash: string, link: Link): Pieces<boolean> {
  for (const form of [NEWEST, 1] as const) if ((yield* manifestHash(mirror, { ...link, form })) === hash) return true;
  return false;
}

/** Writes the chain anew over what is stored, after snapshots were dropped on purpose. The caller has checked the old chain. */
export function* sealAgain(mirror: Mirror): Pieces<void> {
  const ids = mirror.store
    .prepare<{ id: number }>(`select id from snapshots where state in ('complete', 'partial', 'suspect') order by id`)
    .all();
  let previous: string | null = null;
  for (const { id } of ids) {
    const hash: string = yield* manifestHash(mirror, { snapshot: id, previous });
    mirror.store
      .prepare('update snapshots set previous_hash = ?, manifest_hash = ? where id = ?')
      .run(previous, hash, id);
    previous = hash;
    yield;
  }
}
