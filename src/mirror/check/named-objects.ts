// The objects that the database names, as far as it can be read.
import type { Mirror } from '../database/database.ts';
import type { NamedObject } from '../bodies/objects.ts';
import { isDamage, type Unseen } from './unseen.ts';

const OBJECTS = `select object, size from versions where object is not null
  union select object, size from shared_entries where object is not null`;

/** Each once. Where not all of them can be listed at once, those that are found from the one end and from the other. */
export function objectsIn({ store }: Pick<Mirror, 'store'>, unseen: Unseen): readonly NamedObject[] {
  const all = unseen.orNull(FILES, () => store.prepare<NamedObject>(OBJECTS).all());
  if (all !== null) return all;
  const found = new Map<string, NamedObject>();
  for (const [table, key] of Object.entries(KEYS))
    for (const order of ['asc', 'desc'])
      unseen.orNull(FILES, () => {
        const sql = `select object, size from ${table} not indexed order by ${key} ${order}`;
        for (const one of store.iterate<NamedObject | Unnamed>(sql))
          if (one.object !== null) found.set(one.object, one);
      });
  return [...found.values()];
}

// In these they lie.
const KEYS = { versions: 'vid', shared_entries: 'series' } as const;

interface Unnamed {
  readonly object: null;
}

const FILES = 'which files there are';

/** False where nothing names it any more; true, too, where nobody can tell. */
export function isNamed({ store }: Pick<Mirror, 'store'>, object: string): boolean {
  try {
    const named = store.prepare(
      'select 1 from versions where object = @object union all select 1 from shared_entries where object = @object limit 1',
    );
    return named.get({ object }) !== undefined;
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  }
}
