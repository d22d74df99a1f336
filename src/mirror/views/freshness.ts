// How old the oldest proof of each kind is: a listing that was read to its end proves all that it shows, and that there is no
// more. One that was skipped, because the counters of its parent stood still, proves nothing new.
import { isReadEachNight, kindNames, kindOf, readWith, type KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { setFact, type Fact } from '../database/meta.ts';
import { isReadSql } from '../observe/read-marks.ts';
import type { ReportView } from './dictionary-row.ts';
import { sharedCountsSql } from './shared-rows.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

const HOLDS = 'exists (select 1 from versions v where v.rid = p.rid and v.valid_to is null)';
const PROMISE = 'reread_nights' satisfies Fact;

/** Notes after how many nights at most a walk reads every listing again. */
export function notePromise(mirror: Mirror, rereadNights: number): void {
  setFact(mirror, PROMISE, String(rereadNights));
}

export const freshness: ReportView = {
  name: 'freshness',
  description: 'how old the oldest proof of each kind is; as of now, a walk under way included',
  columns: [
    { name: 'kind', description: 'kind of the resources' },
    { name: 'resources', description: 'how many there are' },
    {
      name: 'listings',
      description: 'listings (or trees of pages) that they are read from or beside, one for each parent',
    },
    {
      name: 'unread',
      description:
        'of those, how many were not read to their end when that was tried last, or never, or are to be read again with such a one below',
    },
    {
      name: 'oldest_snapshot',
      description: 'of all that were ever read, the snapshot that read the longest unread one to its end',
    },
    { name: 'oldest_at', description: 'time of that read; null where the snapshot that tells it is no longer kept' },
    {
      name: 'promised_nights',
      description: 'the most that is promised: 1 for what every walk reads, else walk.rereadNights',
    },
    {
      name: 'nights',
      description:
        'walks of everything sealed since then that are kept, limited ones not counted: what moves no counter and no timestamp may be that old; null where nothing was ever read',
    },
  ],
  sql: () => `with k (place, kind, way, parent, shown_by, is_nightly) as (values ${kindNames.map(rowOf).join(', ')})
select k.kind as kind, (select count(*) from resources p where p.kind = k.kind and ${HOLDS}) + ${sharedSql()} as resources,
  d.listings as listings, d.unread as unread, d.oldest_snapshot as oldest_snapshot, d.oldest_at as oldest_at,
  iif(k.is_nightly, 1, (select cast(value as integer) from meta where name = '${PROMISE}')) as promised_nights,
  iif(d.oldest_snapshot is null, null, (select count(*) from snapshots s where s.id > d.oldest_snapshot and s.state in ${SEALED} and s.scope is null)) as nights
from k join (${PROOFS.join('\nunion all ')}) d on d.place = k.place order by k.place`,
};

/** How a kind is read, and where it is listed. A row is shorter than a query of its own, and whoever opens a mirror has SQLite read the words of every view. */
function rowOf(kind: KindName, place: number): string {
  const shownBy = readWith(kind);
  const { read, parent } = kindOf(shownBy);
  const way = read.from === 'routes' ? 'routes' : parent === null ? 'walk' : 'listing';
  const words = [kind, way, parent ?? kind, shownBy].map((word) => `'${word}'`);
  return `(${place}, ${words.join(', ')}, ${isReadEachNight(kind) ? 1 : 0})`;
}

/** How many resources of a kind are shared now. */
function sharedSql(): string {
  const some = kindNames.flatMap((kind) => sharedCountsSql(kind).map((count) => `when '${kind}' then ${count}`));
  return `case k.kind ${some.join(' ')} else 0 end`;
}

// What proves that the kinds were read to their end, for each way in which that is done.
const PROOFS = [
  // Each below its parents, of which it is a listing.
  `select k.place as place, count(p.rid) as listings, count(p.rid) - coalesce(sum(${isReadSql('r')}), 0) as unread,
  min(r.snapshot) as oldest_snapshot, min(r.at) as oldest_at
from k left join resources p on p.kind = k.parent and ${HOLDS} left join reads r on r.scope = p.rid and r.kind = k.shown_by
where k.way = 'listing' group by k.place`,
  // By itself, along the routes that lead to it. The time of a snapshot that is no longer kept is not known.
  `select w.place, w.listings, w.listings - w.found, w.snapshot, (select s.started_at from snapshots s where s.id = w.snapshot)
from (select k.place as place, count(p.rid) as listings, count(r.rid) as found, min(r.snapshot) as snapshot
  from k left join resources p on p.kind = k.kind and ${HOLDS}
    left join (select t.rid, max(t.snapshot) as snapshot from routes t group by t.rid) r on r.rid = p.rid
  where k.way = 'routes' group by k.place) w`,
  // In one listing, which every walk begins with.
  `select w.place, 1, w.snapshot is null, w.snapshot, (select s.started_at from snapshots s where s.id = w.snapshot)
from (select k.place as place, (select max(s.id) from snapshots s join snapshot_kinds n on n.snapshot = s.id
  where s.state in ${SEALED} and n.kind = k.kind and n.seen > 0) as snapshot from k where k.way = 'walk') w`,
];
