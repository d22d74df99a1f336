// Whether what a snapshot holds of some spaces, and outside of all, is as it was stored.
import type { Pieces } from '../../base/index.ts';
import { isWhole } from '../bodies/whole-bodies.ts';
import { legibleTextSql } from '../bodies/stored-text.ts';
import type { Mirror } from '../database/database.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { SHARED_JOIN, SHARED_KEY } from '../views/shared-rows.ts';

interface Row {
  readonly kind: string;
  readonly key: string;
  readonly hash: Buffer;
  readonly data: string | null;
}

// So many are read and hashed in some ten milliseconds.
const BODIES_AT_ONCE = 500;
const BODIES_HELD = bodiesHeldSql();

/**
 * The first resource of a snapshot whose body or text has another hash than when it was stored; null when all are whole.
 * @param spaces Ids of the spaces that are asked about, beside what stands in none.
 */
export function* damagedBodyAt(
  { store }: Mirror,
  snapshot: number,
  spaces: ReadonlySet<string>,
): Pieces<string | null> {
  const asked = JSON.stringify([...spaces]);
  for (const held of BODIES_HELD) {
    let count = 0;
    for (const { kind, key, hash, data } of store.iterate<Row>(held, { snapshot, spaces: asked })) {
      if (data === null || !isWhole({ hash, data })) return `${kind} ${key}`;
      if (++count % BODIES_AT_ONCE === 0) yield;
    }
  }
  return null;
}

/** What holds a body at a snapshot, with that, by the part in which it does. */
function bodiesHeldSql(): string[] {
  const within = (space: string): string =>
    `and (${space} is null or ${space} in (select value from json_each(@spaces)))`;
  const own = ['body', 'text'].map(
    (role) => `select r.kind, r.key, v.${role} as bid from versions v join resources r on r.rid = v.rid
      where ${holdsAtSql('v', '@snapshot')} and v.${role} is not null ${within('r.space')}`,
  );
  // One text is shared by many.
  const shared = ['body', 'text', 'document'].map(
    (role) => `select st.kind, min(${SHARED_KEY}) as key, e.${role} as bid from ${SHARED_JOIN}
      where ${holdsAtSql('st', '@snapshot')} and e.${role} is not null ${within('q.space')} group by e.${role}`,
  );
  return [...own, ...shared].map(
    (held) => `select v.kind, v.key, coalesce(b.hash, s.hash) as hash, ${legibleTextSql('b.data', 'v.bid')} as data
      from (${held}) v left join bodies b on b.bid = v.bid left join superseded s on s.bid = v.bid`,
  );
}
