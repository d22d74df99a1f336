// Numbers of texts and hashes of files say nothing to people: what holds each, or held it last, and in which snapshots.
import { kindNames } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { SEALED } from '../snapshots/sealed-states.ts';
import { sharedRowsOf } from '../views/shared-rows.ts';
import type { CheckProblem } from './check.ts';

interface Held {
  readonly name: string;
  /** The first and the last kept snapshot that show it; null for what none shows. */
  readonly first: number | null;
  readonly last: number | null;
}

/** Of one that shows it: what is damaged, by its number or hash. */
interface Row extends Held {
  readonly damaged: number | string;
}

/** Problems of bodies, each with the name of what holds it behind its number. */
export function withHolders(mirror: Mirror, problems: readonly CheckProblem[]): CheckProblem[] {
  return named(mirror, problems, { columns: ['body', 'text'], numberOf: Number });
}

/** Problems of objects, each with the name of the file behind its hash. */
export function withFiles(mirror: Mirror, problems: readonly CheckProblem[]): CheckProblem[] {
  return named(mirror, problems, { columns: ['object'], numberOf: (which) => which });
}

interface Naming {
  /** The columns of `versions` that name what is damaged. */
  readonly columns: readonly ('body' | 'text' | 'object')[];
  readonly numberOf: (which: string) => number | string;
}

function named({ store }: Mirror, problems: readonly CheckProblem[], { columns, numberOf }: Naming): CheckProblem[] {
  if (problems.length === 0) return [];
  const damaged = JSON.stringify(problems.map(({ which }) => numberOf(which)));
  const found = new Map<string, Held>();
  // Later rows win: what holds it now comes last, and what has it of its own behind what shows it as another does.
  for (const rows of [...SHARED, OWN])
    for (const column of columns)
      for (const row of store.prepare<Row>(heldSql(rows, column)).iterate({ damaged })) {
        const which = String(row.damaged);
        found.set(which, joined(found.get(which), row));
      }
  return problems.map((one) => {
    const held = found.get(one.which);
    return held === undefined ? one : { ...one, which: `${one.which} (${held.name})`, ...spanOf(held) };
  });
}

function joined(before: Held | undefined, { name, first, last }: Held): Held {
  const known = (ids: readonly (number | null | undefined)[]): number[] =>
    ids.filter((id): id is number => typeof id === 'number');
  const [firsts, lasts] = [known([before?.first, first]), known([before?.last, last])];
  return {
    name,
    first: firsts.length === 0 ? null : Math.min(...firsts),
    last: lasts.length === 0 ? null : Math.max(...lasts),
  };
}

function spanOf({ first, last }: Held): Pick<CheckProblem, 'first' | 'last'> {
  return first === null || last === null ? {} : { first, last };
}

/** Which kept snapshots show what is damaged, in words such as `3` or `3 to 12`; null where none does. */
export function shownIn({ first, last }: Pick<CheckProblem, 'first' | 'last'>): string | null {
  if (first === undefined || last === undefined) return null;
  return first === last ? `${first}` : `${first} to ${last}`;
}

/** Rows with what they hold, by its name, and from when to when. */
const OWN = `select r.kind || ' ' || r.key as name, v.body, v.text, v.object, v.valid_from, v.valid_to, v.vid as place
  from versions v join resources r on r.rid = v.rid`;
const SHARED = sharedRowsOf(kindNames).map(
  ({ sql }) => `select kind || ' ' || key as name, body, text, object, valid_from, valid_to, 0 as place from (${sql})`,
);

// A text is shared by many, and told of once: by the first of those that show it now.
function heldSql(rows: string, column: string): string {
  return `with damaged as materialized (select value from json_each(@damaged)),
    shown as (select ${column} as damaged, name, valid_to is null as isNow, place,
      (select min(s.id) from snapshots s where s.id >= h.valid_from and (h.valid_to is null or s.id < h.valid_to) and s.state in ${SEALED}) as first,
      (select max(s.id) from snapshots s where s.id >= h.valid_from and (h.valid_to is null or s.id < h.valid_to) and s.state in ${SEALED}) as last
      from (${rows}) h where ${column} in damaged)
    select damaged, name, first, last from shown order by isNow, place, name desc`;
}
