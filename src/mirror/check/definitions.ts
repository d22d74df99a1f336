// Whether the views, the full-text tables and what describes them are the ones that this program makes: through others, people are
// shown something else.
import type { CheckProblem } from './check.ts';
import type { Mirror } from '../database/database.ts';
import { dropFact, factOf } from '../database/meta.ts';

type Definitions = ReadonlyMap<string, string>;

interface Made {
  /** What the mirror remembers of the program that made them. */
  readonly by: string | undefined;
  readonly definitions: Definitions;
}

interface Expected extends Made {
  /** Of the tables that describe the others, what a mirror holds. */
  readonly dictionaryIn: (store: Mirror['store']) => readonly [name: string, content: string][];
}

/** As this program makes them. */
export async function newDefinitions(): Promise<Expected> {
  const { fingerprint, definitions, dictionaryIn } = await import('../views/create-views.ts');
  return { by: fingerprint, definitions, dictionaryIn };
}

/** Those that differ from a new mirror's, or are missing. What another program has made, the next that writes makes anew. */
export function foreignDefinitions(mirror: Mirror, expected: Expected): CheckProblem[] {
  const { by, definitions } = madeIn(mirror, expected);
  if (by !== expected.by) return [];
  return [...expected.definitions]
    .filter(([name, sql]) => definitions.get(name) !== sql)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name]) => ({
      what: 'view' as const,
      which: name,
      problem: `${definitions.has(name) ? 'is not what this program makes of it' : 'missing'}; docmirror sync --full makes it anew`,
    }));
}

/** Makes them anew where they are others: a full-text table comes back empty, see `mendSearch`. */
export async function mendDefinitions(mirror: Mirror): Promise<void> {
  const foreign = foreignDefinitions(mirror, await newDefinitions());
  if (foreign.length === 0) return;
  const { createViews } = await import('../views/create-views.ts');
  mirror.store.transaction(() => {
    for (const { which } of foreign) drop(mirror, which);
    dropFact(mirror, 'views');
    createViews(mirror.store);
  });
}

/** Whatever stands under the name. */
function drop({ store }: Mirror, name: string): void {
  const found = store.prepare<{ type: string }>('select type from sqlite_schema where name = ?').get(name);
  if (found?.type === 'table' || found?.type === 'view') store.driver.exec(`drop ${found.type} "${name}"`);
}

function madeIn({ store }: Pick<Mirror, 'store'>, { dictionaryIn }: Expected): Made {
  const by = factOf({ store }, 'views');
  const sql = `select name, sql from sqlite_schema where type = 'view' or sql like '%using fts5%' order by name`;
  const rows = store.prepare<{ name: string; sql: string }>(sql).all();
  const made = rows.map((row): [string, string] => [row.name, row.sql]);
  return { by, definitions: new Map([...made, ...dictionaryIn(store)]) };
}
