// A few sums of each snapshot, written when it is sealed: a chart over a thousand nights reads a thousand rows, not the history.
import { UNDER_WAY_STATUSES } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { jsonSql } from '../bodies/stored-json.ts';
import { unreadInSql } from '../observe/failures.ts';
import { SHARED } from '../observe/shared-trees.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { wordsSql } from '../database/words-sql.ts';
import { kindsWithOthers } from '../reading/own-news.ts';
import { textSql } from '../bodies/stored-text.ts';
import { SEALED } from './sealed-states.ts';

/** Sums by name: `held:<kind>` and the names of `FIGURES`. What is 0 may be absent. */
export type Figures = Readonly<Record<string, number>>;

/** Counts of a status are over what held at the snapshot; sizes are bytes. Objects are those that any kept version names. */
export const FIGURES = {
  brokenLinks: 'links:broken',
  openComments: 'comments:open',
  openChangeRequests: 'change-requests:open',
  textBytes: 'bytes:text',
  fileBytes: 'bytes:files',
  databaseBytes: 'bytes:database',
  objectBytes: 'bytes:objects',
  objects: 'count:objects',
} as const;

/** What came, changed and went in the snapshots that were forgotten between this one and the one before that is kept. */
const FORGOTTEN = { added: 'forgotten:added', changed: 'forgotten:changed', gone: 'forgotten:gone' } as const;
const FORGOTTEN_NAMES: readonly string[] = Object.values(FORGOTTEN);

const MOVES = `(select rid, body, text, size, 1 as step from versions where valid_from > @from and valid_from <= @to
  union all select rid, body, text, size, -1 from versions where valid_to > @from and valid_to <= @to) m
join resources r on r.rid = m.rid`;

const STANDING = `(select rid, body, 1 as step from versions v where ${holdsAtSql('v', '@to')}) m
join resources r on r.rid = m.rid`;

const HELD = `select 'held:' || r.kind as name, sum(m.step) as value from ${MOVES} group by r.kind`;
const SHARED_MOVES = `(select kind, amount, documents, 1 as step from shared_trees where valid_from > @from and valid_from <= @to
  union all select kind, amount, documents, -1 from shared_trees where valid_to > @from and valid_to <= @to)`;
const HELD_SHARED = SHARED.map(
  ({ kind, tree, number }) =>
    `select 'held:${kind}' as name, sum(step * ${number}) as value from ${SHARED_MOVES} where kind = '${tree}' group by kind`,
);
const STATUS = jsonSql(textSql('b.data', 'm.body'), '$.status');
const COUNTED = [
  { name: FIGURES.brokenLinks, kinds: ['link'], states: ['broken'] },
  { name: FIGURES.openComments, kinds: ['comment', 'change-request-comment'], states: ['open'] },
  { name: FIGURES.openChangeRequests, kinds: ['change-request'], states: UNDER_WAY_STATUSES },
] as const;
const TEXTS = `select '${FIGURES.textBytes}' as name, sum(m.step * t.size) as value from ${MOVES}
  join bodies t on t.bid = m.text where r.kind = 'page'`;
const FILES = `select '${FIGURES.fileBytes}' as name, sum(m.step * m.size) as value from ${MOVES} where r.kind = 'file'`;

type Counted = (typeof COUNTED)[number];

function countSql({ name, kinds, states }: Counted, rows: string): string {
  return `select '${name}' as name, sum(m.step) as value from ${rows} left join bodies b on b.bid = m.body
  where r.kind in (${wordsSql(kinds)}) and ${STATUS} in (${wordsSql(states)})`;
}

function damagedSql({ kinds }: Counted): string {
  return `select 1 from versions v join resources r on r.rid = v.rid join bodies b on b.bid = v.body
  where v.valid_to > @from and v.valid_to <= @to and r.kind in (${wordsSql(kinds)}) and docmirror_hash(b.data) <> b.hash limit 1`;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

interface Sum {
  readonly name: string;
  readonly value: number | null;
}

/**
 * Writes the figures of the snapshot that is being sealed: those of the one before, moved by what began and ended since. Called
 * while what ended is still plain. Costs what changed.
 */
export function noteFigures({ store }: Mirror, snapshot: number, previous: number): void {
  const before = previous === 0 ? [] : Object.entries(readFigures({ store }, previous));
  const sums = new Map(before.filter(([name]) => !FORGOTTEN_NAMES.includes(name)));
  // Without figures of the one before, everything that ever began and ended is summed up.
  const range: Range = { from: sums.size === 0 ? 0 : previous, to: snapshot };
  const add = (sql: string): void => {
    for (const { name, value } of store.prepare<Sum>(sql).all(range))
      sums.set(name, (sums.get(name) ?? 0) + (value ?? 0));
  };
  for (const counted of COUNTED) {
    // What ended and is damaged no longer says what it was counted as: all that stand are counted then.
    const isDamaged = store.prepare(damagedSql(counted)).get(range) !== undefined;
    if (isDamaged) sums.delete(counted.name);
    add(countSql(counted, isDamaged ? STANDING : MOVES));
  }
  for (const sql of [HELD, ...HELD_SHARED, TEXTS, FILES]) add(sql);
  for (const [name, value] of sizesNow({ store })) sums.set(name, value);
  const insert = store.prepare('insert or replace into snapshot_figures (snapshot, name, value) values (?, ?, ?)');
  for (const [name, value] of sums) insert.run(snapshot, name, value);
}

function sizesNow({ store }: Pick<Mirror, 'store'>): [string, number][] {
  const objects = store
    .prepare<{ count: number; bytes: number | null }>(
      `select count(*) as count, sum(size) as bytes from
        (select max(size) as size from (select object, size from versions union all select object, size from shared_entries)
         where object is not null group by object)`,
    )
    .get();
  const pages = Number(store.driver.pragma('page_count', { simple: true }));
  const pageSize = Number(store.driver.pragma('page_size', { simple: true }));
  return [
    [FIGURES.databaseBytes, pages * pageSize],
    [FIGURES.objectBytes, objects?.bytes ?? 0],
    [FIGURES.objects, objects?.count ?? 0],
  ];
}

/** Figures of one snapshot; empty for one that is not sealed. */
export function readFigures({ store }: Pick<Mirror, 'store'>, snapshot: number): Figures {
  const rows = store
    .prepare<{ name: string; value: number }>('select name, value from snapshot_figures where snapshot = ?')
    .all(snapshot);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

const FORGOTTEN_MOVES = Object.entries(FORGOTTEN).map(
  ([column, name]) => `select '${name}' as name, ${column} as value from snapshot_kinds
    where snapshot = @id and kind not in (${wordsSql(kindsWithOthers)})`,
);
const HAND_ON = `insert into snapshot_figures (snapshot, name, value)
  select (select min(s.id) from snapshots s where s.id > @id and s.state in ${SEALED}), m.name, sum(m.value)
  from (${FORGOTTEN_MOVES.join(' union all ')}
    union all select name, value from snapshot_figures where snapshot = @id and name in (${wordsSql(FORGOTTEN_NAMES)})) m
  where exists (select 1 from snapshots s where s.id = @id and s.state in ${SEALED})
    and exists (select 1 from snapshots s where s.id < @id and s.state in ${SEALED})
    and exists (select 1 from snapshots s where s.id > @id and s.state in ${SEALED})
  group by m.name having sum(m.value) > 0
  on conflict (snapshot, name) do update set value = value + excluded.value`;

/** Of a snapshot that is about to be forgotten, which earlier ones outlive: what moved in it is told by the next one. */
export function handOnMoves({ store }: Pick<Mirror, 'store'>, id: number): void {
  store.prepare(HAND_ON).run({ id });
}

/** What moved since the night before that is kept, and what stood after it. */
export interface Night {
  readonly snapshot: number;
  /** Time when its walk began. */
  readonly at: string;
  readonly state: string;
  readonly requests: number;
  /** Milliseconds. */
  readonly durationMs: number;
  readonly added: number;
  readonly changed: number;
  readonly gone: number;
  /** Links that the platform calls broken; null where links could not be read, and never were. */
  readonly brokenLinks: number | null;
  readonly figures: Figures;
}

const NIGHTS = `select s.id as snapshot, s.started_at as at, s.state, s.requests, s.duration_ms as durationMs,
  coalesce(sum(k.added), 0) as added, coalesce(sum(k.changed), 0) as changed, coalesce(sum(k.gone), 0) as gone
from snapshots s left join snapshot_kinds k on k.snapshot = s.id and k.kind not in (${wordsSql(kindsWithOthers)})
where s.state in ${SEALED} group by s.id order by s.id`;

/** Every sealed snapshot with its figures, oldest first. Of changes count those that are news of their own: no revisions, nor copies in change requests. */
export function listNights({ store }: Mirror): Night[] {
  const figures = new Map<number, Record<string, number>>();
  const rows = store
    .prepare<{ snapshot: number; name: string; value: number }>('select snapshot, name, value from snapshot_figures')
    .all();
  for (const { snapshot, name, value } of rows) {
    const of = figures.get(snapshot) ?? {};
    of[name] = value;
    figures.set(snapshot, of);
  }
  const unread = new Set(store.driver.prepare<[], number>(unreadInSql('link')).pluck().all());
  const known = rows.filter(({ name, value }) => name === 'held:link' && value > 0).map(({ snapshot }) => snapshot);
  const since = known.reduce((first, one) => Math.min(first, one), Number.POSITIVE_INFINITY);
  return store
    .prepare<Omit<Night, 'figures' | 'brokenLinks'>>(NIGHTS)
    .all()
    .map((night, index) => {
      const of = figures.get(night.snapshot) ?? {};
      // Before the first there is nothing that it could be compared with.
      const forgotten = (name: string): number => (index === 0 ? 0 : (of[name] ?? 0));
      const isUnread = unread.has(night.snapshot) && night.snapshot < since;
      return {
        ...night,
        added: night.added + forgotten(FORGOTTEN.added),
        changed: night.changed + forgotten(FORGOTTEN.changed),
        gone: night.gone + forgotten(FORGOTTEN.gone),
        brokenLinks: isUnread ? null : (of[FIGURES.brokenLinks] ?? 0),
        figures: of,
      };
    });
}
