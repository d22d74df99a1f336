// From when to when each version holds. The manifest of a snapshot covers what begins in it, and what ends in it of what was shown
// before: a version that is made to hold for nothing, or to end after all that is sealed, is in none and disappears unseen.
import type { Pieces } from '../../base/index.ts';
import { formKinds } from '../../contract/index.ts';
import type { CheckProblem } from './check.ts';
import type { Mirror } from '../database/database.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { rangesOf, withinSql } from '../database/ranges.ts';
import { wordsSql } from '../database/words-sql.ts';
import { lastSealed } from '../snapshots/snapshots.ts';
import { sharedAtSql } from '../views/shared-rows.ts';
import { SEALED } from '../snapshots/sealed-states.ts';

const MOST_SHOWN = 20;
// So many plain rows are looked at in some ten milliseconds.
const AT_ONCE = 20_000;

const NEWEST = 'select max(id) from snapshots';
// A walk that was given up and forgotten by an earlier program has left its number here.
const NUMBERS = [
  'max(id) from snapshots',
  ...['reads', 'routes', 'tombstones'].map((table) => `max(snapshot) from ${table}`),
];
const LAST_KNOWN = NUMBERS.map((one) => `select ${one}`).join(' union all ');
const KNOWN = `with numbers (number) as (${LAST_KNOWN}) select (${NEWEST}) as newest, (select max(number) from numbers) as known`;

const SHOWN = `exists (select 1 from snapshots s where s.id >= v.valid_from and s.id < v.valid_to and s.state in ${SEALED})`;
// What ends has something in its place from there on, or the proof that it is gone.
const FOLLOWED = `(exists (select 1 from versions n where n.rid = v.rid and n.valid_from = v.valid_to)
  or exists (select 1 from tombstones t where t.rid = v.rid and t.snapshot = v.valid_to))`;
// Trees end without either when their page moves on, and so did those that an earlier program had taken for unchanged: in the number
// after the newest, where no walk was under way.
const TREES = `r.kind in (${wordsSql(formKinds)})`;
const LAPSED = `(${TREES} and v.valid_to <= @newest + 1
  and (${SHOWN} or v.valid_from in (select id from snapshots where state = 'abandoned')))`;
// What a change request shows as its space did, from there on, is no resource of its own any more.
const SHARED = sharedAtSql('r', ['v.valid_to']);

const EMPTY = 'v.valid_from < 1 or v.valid_to <= v.valid_from';
const BROKEN = `select v.vid, r.kind, r.key, v.valid_from as "from", v.valid_to as upTo, ${EMPTY} as isEmpty, v.valid_from > @known as isUnknown
from versions v left join resources r on r.rid = v.rid
where ${withinSql('v.vid')} and (${EMPTY} or v.valid_from > @known
  or (v.valid_to is not null and (v.valid_to > @last or not ${SHOWN}) and not ${FOLLOWED} and not ${LAPSED} and not ${SHARED}))
order by v.vid limit ${MOST_SHOWN}`;

interface Broken {
  readonly vid: number;
  readonly kind: string | null;
  readonly key: string | null;
  readonly from: number;
  readonly upTo: number | null;
  readonly isEmpty: 0 | 1;
  readonly isUnknown: 0 | 1;
}

/** Versions that hold for nothing, that begin where no walk has been, or that end where nothing says why. */
export function* brokenSpans(mirror: Mirror): Pieces<CheckProblem[]> {
  const numbers = mirror.store.prepare<{ newest: number | null; known: number | null }>(KNOWN).get();
  const last = lastSealed(mirror)?.id ?? 0;
  const bound = { last, newest: numbers?.newest ?? 0, known: numbers?.known ?? 0 };
  const broken = mirror.store.prepare<Broken>(BROKEN);
  const problems: CheckProblem[] = [];
  for (const range of rangesOf(mirror, { table: 'versions', column: 'vid', size: AT_ONCE })) {
    problems.push(...broken.all({ ...bound, ...range }).map(named));
    if (problems.length >= MOST_SHOWN) break;
    yield;
  }
  return problems.slice(0, MOST_SHOWN);
}

function named({ vid, kind, key, ...span }: Broken): CheckProblem {
  return { what: 'reference', which: `versions ${vid} (${kind ?? '?'} ${key ?? '?'})`, problem: wrongIn(span) };
}

function wrongIn({ from, upTo, isEmpty, isUnknown }: Omit<Broken, 'vid' | 'kind' | 'key'>): string {
  if (isEmpty === 1) return `holds from snapshot ${from} up to ${upTo ?? 'now'}, which is for none`;
  if (isUnknown === 1) return `begins in snapshot ${from}, which is not there`;
  return `ends in snapshot ${upTo ?? 'none'}, with nothing in its place there and no proof that it is gone`;
}

const FORGED = `select r.kind, r.key, t.snapshot from tombstones t join resources r on r.rid = t.rid
where ${withinSql('t.rid')} and exists (select 1 from versions v where v.rid = t.rid and ${holdsAtSql('v', 't.snapshot')}) limit ${MOST_SHOWN}`;

/** Proofs that something is gone from a snapshot that shows it. */
export function* forgedTombstones(mirror: Mirror): Pieces<CheckProblem[]> {
  const forged = mirror.store.prepare<{ kind: string; key: string; snapshot: number }>(FORGED);
  const problems: CheckProblem[] = [];
  for (const range of rangesOf(mirror, { table: 'resources', column: 'rid', size: AT_ONCE })) {
    const found = forged.all(range).map(({ kind, key, snapshot }) => ({
      what: 'reference' as const,
      which: `tombstones of ${kind} ${key}`,
      problem: `says that it is gone from snapshot ${snapshot}, which has it`,
    }));
    problems.push(...found);
    if (problems.length >= MOST_SHOWN) break;
    yield;
  }
  return problems.slice(0, MOST_SHOWN);
}

// Programs before this one left what was accepted of a snapshot that was forgotten since, as nothing is that is pinned.
const NOTED = [
  { table: 'pins', without: 'snapshot not in (select id from snapshots)' },
  { table: 'accepted', without: `snapshot > coalesce((${NEWEST}), 0)` },
] as const;

/** What people are said to have decided about snapshots that are not there: those to come would obey it. */
export function strayNotes({ store }: Mirror): CheckProblem[] {
  return NOTED.flatMap(({ table, without }) =>
    store
      .prepare<{ snapshot: number }>(`select snapshot from ${table} where ${without} order by 1 limit ${MOST_SHOWN}`)
      .all()
      .map(({ snapshot }) => ({
        what: 'reference' as const,
        which: `${table} ${snapshot}`,
        problem: 'names a row that is not in snapshots',
      })),
  );
}
