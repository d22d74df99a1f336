// Whether the full-text index holds what it should: with a part of it gone, a search finds nothing and says so as if it were true.
// Whether it is whole in itself SQLite tells with the structure of the file; to compare its words with the texts takes a connection
// that writes, so what is compared is which texts are in it.
import { count, type Pieces } from '../../base/index.ts';
import type { CheckProblem } from './check.ts';
import type { Mirror } from '../database/database.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { rangesOf, withinSql, type Range } from '../database/ranges.ts';
import { wordsSql } from '../database/words-sql.ts';
import { doubtSearch, indexedKinds } from '../search/search.ts';
import { lastSealed } from '../snapshots/snapshots.ts';

// So many plain rows are looked at in some ten milliseconds.
const AT_ONCE = 20_000;

interface Differing {
  readonly lacking: number;
  readonly extra: number;
}

type Indexed = (typeof indexedKinds)[number];

function differingSql({ name, kinds }: Indexed): string {
  const held = `select v.vid from versions v join resources r on r.rid = v.rid
    where ${withinSql('v.vid')} and ${holdsAtSql('v', '@last')}
    and r.kind in (${wordsSql(kinds)})`;
  const listed = `select id from ${name}_docsize where ${withinSql('id')}`;
  return `with held as materialized (${held}), listed as materialized (${listed})
    select (select count(*) from held where vid not in listed) as lacking, (select count(*) from listed where id not in held) as extra`;
}

/** Full-text tables in which something of the last sealed snapshot is not, or something else is. */
export function* brokenSearch(mirror: Mirror): Pieces<CheckProblem[]> {
  const problems: CheckProblem[] = [];
  for (const table of indexedKinds) {
    // One that is missing as a whole is named among the definitions.
    if (!isThere(mirror, table)) continue;
    const { lacking, extra } = yield* differingIn(mirror, table);
    const wrong = [
      ...(lacking > 0 ? [`${count(lacking, 'text')} of the last snapshot not in it`] : []),
      ...(extra > 0 ? [`${count(extra, 'text')} in it that the last snapshot does not show`] : []),
      'docmirror sync --full makes it anew',
    ];
    if (lacking + extra > 0) problems.push({ what: 'search', which: table.name, problem: wrong.join('; ') });
  }
  return problems;
}

function isThere({ store }: Mirror, { name }: Indexed): boolean {
  return store.prepare('select 1 from sqlite_schema where name = ?').get(`${name}_docsize`) !== undefined;
}

function* differingIn(mirror: Mirror, table: Indexed): Pieces<Differing> {
  const last = lastSealed(mirror)?.id ?? 0;
  const differing = mirror.store.prepare<Differing>(differingSql(table));
  const sum = { lacking: 0, extra: 0 };
  for (const range of everyRange(mirror, table)) {
    const found = differing.get({ last, ...range });
    sum.lacking += found?.lacking ?? 0;
    sum.extra += found?.extra ?? 0;
    yield;
  }
  return sum;
}

/** The ranges of versions, and one of what is indexed beside them. */
function* everyRange(mirror: Mirror, { name }: Indexed): Generator<Range> {
  let after = 0;
  for (const range of rangesOf(mirror, { table: 'versions', column: 'vid', size: AT_ONCE })) {
    yield range;
    after = range.upTo;
  }
  const found = mirror.store.prepare<{ last: number | null }>(`select max(id) as last from ${name}_docsize`).get();
  if ((found?.last ?? 0) > after) yield { after, upTo: found?.last ?? 0 };
}

/** Has the full-text index made anew when the next snapshot is sealed, where it does not hold what it should. */
export function* mendSearch(mirror: Mirror): Pieces<void> {
  if ((yield* brokenSearch(mirror)).length > 0) doubtSearch(mirror);
}
