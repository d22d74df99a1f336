// Statements of a reader. Texts are read as `text` says: where what is stored may be damaged, that decides what becomes of it.
import { kindNames, type KindName } from '../../contract/index.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import type { textSql } from '../bodies/stored-text.ts';
import { sharedSql, type SharedSql } from './shared-reading.ts';

const PARENT = '(select p.id from resources p where p.rid = v.parent) as parent';
const FROM = 'from resources r join versions v on v.rid = r.rid';
const BODIES = 'left join bodies b on b.bid = v.body left join bodies t on t.bid = v.text';
const HOLDS = holdsAtSql('v', '?');

/** The last version of what there ever was up to a snapshot, whether it still holds or not. */
const LAST = `from resources r join versions v on v.rid = r.rid
  and v.valid_from = (select max(w.valid_from) from versions w where w.rid = r.rid and w.valid_from <= @snapshot)
left join bodies b on b.bid = v.body`;
const STILL = '(v.valid_to is null or v.valid_to > @snapshot)';
const OUTLINE_RANGE = 'where r.kind = @kind and r.key > @from and r.key < @to order by r.key';

export const COUNT = `select count(*) as n ${FROM} where r.kind = ? and r.key >= ? and r.key < ? and ${HOLDS}`;
export const IS_PARENT = `select exists (select 1 ${FROM} where r.kind = ? and r.key >= ? and r.key < ? and v.parent = ? and ${HOLDS}) as found`;
export const KEYS = `select r.key ${FROM} where r.kind = ? and r.id = ? and ${HOLDS} order by r.key`;

export const PLACES = `select r.id, r.key, ${PARENT}, v.position ${FROM} where r.kind = ? and r.key >= ? and r.key < ? and ${HOLDS} order by r.key`;

export const UNREAD = `select distinct resource as key from requests_failed
  where snapshot = ? and kind = ? and resource >= ? and resource < ? order by resource`;

export interface ReaderSql {
  readonly range: string;
  /** Those of a range in whose JSON a text stands, and those that are damaged. */
  readonly naming: string;
  readonly one: string;
  readonly outline: string;
  readonly outlineWithTexts: string;
  /** For kinds that settled change requests share with their spaces. */
  readonly shared: ReadonlyMap<KindName, SharedSql>;
}

export function readerSql(text: typeof textSql): ReaderSql {
  const [body, markdown] = [text('b.data', 'v.body'), text('t.data', 'v.text')];
  const resource = `select r.rid, r.kind, r.key, r.id, ${body} as body, ${markdown} as text, v.object, v.size, ${PARENT},
  v.position ${FROM} ${BODIES}`;
  const outlined = `select r.rid, r.kind, r.key, r.id, ${body} as body, v.object, v.size, ${PARENT}, v.position, ${STILL} as holds`;
  return {
    range: `${resource} where r.kind = ? and r.key >= ? and r.key < ? and ${HOLDS} order by r.key`,
    naming: `${resource} where r.kind = ? and r.key >= ? and r.key < ? and ${HOLDS}
  and (instr(${body}, ?) > 0 or iif(json_valid(${body}), json_type(${body}) <> 'object', 1)) order by r.key`,
    one: `${resource} where r.kind = ? and r.key = ? and ${HOLDS}`,
    outline: `${outlined} ${LAST} ${OUTLINE_RANGE}`,
    outlineWithTexts: `${outlined}, case when ${STILL} then ${markdown} end as text
${LAST} left join bodies t on t.bid = v.text ${OUTLINE_RANGE}`,
    shared: sharedStatements(text),
  };
}

function sharedStatements(text: typeof textSql): Map<KindName, SharedSql> {
  return new Map(
    kindNames.flatMap((kind) => {
      const statements = sharedSql(kind, text);
      return statements === null ? [] : [[kind, statements] as const];
    }),
  );
}
