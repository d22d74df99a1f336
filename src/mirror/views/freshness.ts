// How old the oldest proof of each kind is: a listing that was read to its end proves all that it shows, and that there is no
// more. One that was skipped, because the counters of its parent stood still, proves nothing new.
import { kindNames, kindOf, parentKind, readWith, type KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { setFact, type Fact } from '../database/meta.ts';
import { isReadSql } from '../observe/read-marks.ts';
import type { ReportView } from './dictionary-row.ts';
import { sharedCountsSql } from './shared-rows.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

const HOLDS = 'join versions v on v.rid = p.rid and v.valid_to is null';
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
    { name: 'oldest_at', description: 'time of that read' },
    {
      name: 'promised_nights',
      description: 'the most that is promised: 1 for what every walk reads, else walk.rereadNights',
    },
    {
      name: 'nights',
      description:
        'walks of everything sealed since then, limited ones not counted: what moves no counter and no timestamp may be that old; null where nothing was ever read',
    },
  ],
  sql: () => `select f.*, iif(f.oldest_snapshot is null, null, (select count(*) from snapshots s where s.id > f.oldest_snapshot and s.state in ${SEALED} and s.scope is null)) as nights
from (${kindNames.map(proofSql).join('\nunion all ')}) f`,
};

function proofSql(kind: KindName): string {
  const own = `(select count(*) from resources p ${HOLDS} where p.kind = '${kind}')`;
  const resources = [own, ...sharedCountsSql(kind)].join(' + ');
  const promise = isReadEachNight(kind) ? '1' : `(select cast(value as integer) from meta where name = '${PROMISE}')`;
  const { listings, proof } = sourceOf(kind);
  return `select '${kind}' as kind, ${resources} as resources, count(*) as listings, count(*) - coalesce(sum(d.isRead), 0) as unread,
  min(d.snapshot) as oldest_snapshot, min(d.at) as oldest_at, ${promise} as promised_nights
from ${listings} left join ${proof}`;
}

/** What a kind is read from, as `p`, and what proves that it was, as `d`. */
function sourceOf(kind: KindName): { listings: string; proof: string } {
  const shownBy = readWith(kind);
  const { read, parent } = kindOf(shownBy);
  if (read.from === 'routes') {
    const routed = `select t.rid, max(t.snapshot) as snapshot, max(s.started_at) as at, 1 as isRead from routes t join snapshots s on s.id = t.snapshot group by t.rid`;
    return { listings: `resources p ${HOLDS} and p.kind = '${kind}'`, proof: `(${routed}) d on d.rid = p.rid` };
  }
  if (parent === null) {
    const walked = `select s.id as snapshot, s.started_at as at, 1 as isRead from snapshots s join snapshot_kinds k on k.snapshot = s.id
      where s.state in ${SEALED} and k.kind = '${kind}' and k.seen > 0 order by s.id desc limit 1`;
    return { listings: '(select 1) p', proof: `(${walked}) d on true` };
  }
  return {
    listings: `resources p ${HOLDS} and p.kind = '${parent}'`,
    proof: `(select *, ${isReadSql('reads')} as isRead from reads) d on d.scope = p.rid and d.kind = '${shownBy}'`,
  };
}

function isReadEachNight(kind: KindName): boolean {
  if (kindOf(kind).movesWith !== undefined) return false;
  const above = parentKind(kind);
  return above === null || isReadEachNight(above);
}
