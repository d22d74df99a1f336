// Fields that the API promises and that are gone from what had them, as after an upgrade of the platform that calls them otherwise.
// Every answer was read then, and every one lacks the same.
import { count, thousands } from '../../base/index.ts';
import { fieldsOf, isComment, kindOf, requiredFieldsOf, type KindName } from '../../contract/index.ts';
import { legibleTextSql } from '../bodies/stored-text.ts';
import type { Mirror } from '../database/database.ts';
import type { SnapshotRow } from '../database/tables.ts';

/** So many resources without a field, and this part of those that changed, are no oddity of one of them. */
export const FEWEST_WITHOUT = 3;
const PART_WITHOUT = 0.5;
/** Of those that changed, so many are looked at: the platform sends a field, or it does not. */
const MOST_LOOKED_AT = 200;

// Gone is what is not there, and what is null and may not be. What is damaged tells nothing.
const LOST = `with changed (before, now) as materialized (
  select ${legibleTextSql('b.data', 'v.body')}, n.data
  from versions v join resources r on r.rid = v.rid and r.kind = @kind
    join versions now on now.rid = v.rid and now.valid_to is null and now.body <> v.body
    left join bodies b on b.bid = v.body join bodies n on n.bid = now.body
  where v.valid_to > @good and v.valid_to <= @id and v.valid_from <= @good order by v.valid_to desc limit ${MOST_LOOKED_AT})
select f.value ->> 'name' as field, count(*) as changed, count(*) filter (where
    coalesce(json_type(before, f.value ->> 'path'), f.value ->> 'none') <> f.value ->> 'none'
    and coalesce(json_type(now, f.value ->> 'path'), f.value ->> 'none') = f.value ->> 'none') as without
from changed, json_each(@fields) f where json_valid(before) and json_valid(now) group by f.key order by f.key`;

// A space shows its emoji or an icon, of which people exchange the one for the other; who wrote something may be deleted, and so may
// what it is about.
const MAY_GO: ReadonlySet<string> = new Set(['emoji', 'createdBy', 'postedBy', 'target']);

const GONE = 'any more on';

interface Lost {
  readonly field: string;
  readonly changed: number;
  readonly without: number;
}

/** In words, for a kind of which something changed from the good snapshot up to this one; null when all have what they had. */
export function lostFields({ store }: Mirror, kind: KindName, span: { good: number; id: number }): string | null {
  const fields = JSON.stringify(promisedFields(kind));
  const lost = store
    .prepare<Lost>(LOST)
    .all({ kind, fields, ...span })
    .filter(({ changed, without }) => without >= FEWEST_WITHOUT && without >= changed * PART_WITHOUT);
  const [first] = lost;
  if (first === undefined) return null;
  const names = lost.map(({ field }) => field).join(', ');
  return `no ${names} ${GONE} ${thousands(first.without)} of ${count(first.changed, kind)} that changed`;
}

/**
 * Whether a snapshot is suspect for that. What was read meanwhile is kept as it came, and where nothing moves it is not asked for
 * again once the platform sends the field, but by a walk that reads everything.
 */
export function isWithoutFields({ state, reason }: Pick<SnapshotRow, 'state' | 'reason'>): boolean {
  return state === 'suspect' && reason?.includes(` ${GONE} `) === true;
}

interface Promised {
  readonly name: string;
  readonly path: string;
  /** What JSON type counts as none beside an absent one. */
  readonly none: 'null' | '';
}

/** What each resource of a kind has, and what is kept of it. */
function promisedFields(kind: KindName): Promised[] {
  const { embeds = {} } = kindOf(kind);
  const schemas = fieldsOf(kind);
  const names = requiredFieldsOf(kind).filter((field) => !(field in embeds) && !MAY_GO.has(field));
  // Asked for as Markdown, so that a body that was so is one for ever.
  return [...names, ...(isComment(kind) ? ['body.markdown'] : [])].map((name) => {
    const schema = schemas.get(name);
    const mayBeNull = schema !== undefined && !('type' in schema && schema.type !== 'null');
    return { name, path: `$.${name}`, none: mayBeNull ? '' : 'null' };
  });
}
