// The chain of manifests: each snapshot's hash covers what began and ended in it and the hash of the one before.
import { createHash } from 'node:crypto';
import type { Mirror } from './database.ts';

interface Entry {
  readonly vid: number;
  readonly kind: string;
  readonly key: string;
  readonly body: Buffer;
  readonly text: Buffer | null;
  readonly object: string | null;
}

const BEGUN = `select v.vid, r.kind, r.key, coalesce(b.hash, c.hash) as body, coalesce(t.hash, u.hash) as text, v.object
from versions v join resources r on r.rid = v.rid
left join bodies b on b.bid = v.body left join superseded c on c.bid = v.body
left join bodies t on t.bid = v.text left join superseded u on u.bid = v.text
where v.valid_from > ? and v.valid_from <= ? order by v.vid`;
const ENDED = `select v.vid from versions v where v.valid_to > ? and v.valid_to <= ? and v.valid_from <= ? order by v.vid`;

/** The hash of a snapshot's manifest. Costs what changed in it. */
export function manifestHash(mirror: Mirror, snapshot: number, previousHash: string | null): string {
  const before = previousOf(mirror, snapshot);
  const hash = createHash('sha256').update(`docmirror manifest 1\n${previousHash ?? '-'}\n${snapshot}\n`);
  for (const row of mirror.store.prepare<Entry>(BEGUN).iterate(before, snapshot)) {
    const text = row.text ? row.text.toString('hex') : '-';
    hash.update(`+ ${row.kind} ${row.key} ${row.body.toString('hex')} ${text} ${row.object ?? '-'}\n`);
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
export function firstTampered(mirror: Mirror): number | null {
  const rows = mirror.store
    .prepare<{ id: number; manifest_hash: string; previous_hash: string | null }>(
      `select id, manifest_hash, previous_hash from snapshots where state in ('complete', 'partial', 'suspect') order by id`,
    )
    .all();
  let previous: string | null = null;
  for (const row of rows) {
    if (row.previous_hash !== previous || row.manifest_hash !== manifestHash(mirror, row.id, previous)) return row.id;
    previous = row.manifest_hash;
  }
  return null;
}

/** Writes the chain anew over what is stored, after snapshots were dropped on purpose. The caller has checked the old chain. */
export function sealAgain(mirror: Mirror): void {
  const ids = mirror.store
    .prepare<{ id: number }>(`select id from snapshots where state in ('complete', 'partial', 'suspect') order by id`)
    .all();
  let previous: string | null = null;
  for (const { id } of ids) {
    const hash = manifestHash(mirror, id, previous);
    mirror.store
      .prepare('update snapshots set previous_hash = ?, manifest_hash = ? where id = ?')
      .run(previous, hash, id);
    previous = hash;
  }
}
