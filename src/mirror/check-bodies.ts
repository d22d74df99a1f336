// Texts and JSON: is each that is named there, and is it what was stored?
import { bodyHash } from './observe.ts';
import type { CheckProblem } from './check.ts';
import type { Mirror } from './database.ts';
import { supersededSql } from './stored-text.ts';

const MOST_SHOWN = 20;
const BATCH = 1000;

interface Rule {
  readonly what: string;
  readonly problem: string;
  readonly sql: string;
}

const RULES: readonly Rule[] = [
  ...['body', 'text'].map((role) => ({
    what: 'versions',
    problem: 'names a row that is not in bodies',
    sql: `select vid as id from versions where ${role} not in (select bid from bodies) and ${role} not in (select bid from superseded)`,
  })),
  {
    what: 'versions',
    problem: 'names a row that is not in resources',
    sql: 'select vid as id from versions where parent not in (select rid from resources)',
  },
  {
    what: 'superseded',
    problem: 'was compressed against a row that is not there',
    sql: 'select bid as id from superseded where base not in (select bid from bodies) and base not in (select bid from superseded)',
  },
  {
    what: 'superseded',
    problem: 'is not known to the body it was compressed against',
    sql: `select s.bid as id from superseded s join bodies b on b.bid = s.base where b.dependent is not s.bid
union select b.bid from bodies b left join superseded s on s.bid = b.dependent where b.dependent is not null and s.base is not b.bid`,
  },
  {
    what: 'superseded',
    problem: 'is plain too',
    sql: 'select bid as id from superseded where bid in (select bid from bodies)',
  },
];

/** Rows that name rows which are not there. */
export function bodyReferences(mirror: Mirror): CheckProblem[] {
  return RULES.flatMap(({ what, problem, sql }) =>
    mirror.store
      .prepare<{ id: number }>(`${sql} limit ${MOST_SHOWN}`)
      .all()
      .map(({ id }) => ({ what: 'reference' as const, which: `${what} ${id}`, problem })),
  );
}

/** True when a text is what was stored under this hash. */
export function isWhole({ hash, data }: { hash: Buffer; data: string | Buffer }): boolean {
  return bodyHash(data).equals(hash);
}

export interface BodiesRead {
  readonly problems: CheckProblem[];
  readonly count: number;
  /** Bytes of the texts, as they are when read. */
  readonly bytes: number;
}

/** Reads every text, superseded ones too, and compares it with its hash. Holds few of them at a time. */
export function readBodies(mirror: Mirror): BodiesRead {
  const problems: CheckProblem[] = [];
  let count = 0;
  let bytes = 0;
  const look = (bid: number, hash: Buffer, data: string | Buffer | null): void => {
    count += 1;
    bytes += data === null ? 0 : Buffer.byteLength(data);
    if (data !== null && isWhole({ hash, data })) return;
    const problem = data === null ? 'it can no longer be read' : 'its text has another hash';
    problems.push({ what: 'body', which: String(bid), problem });
  };
  // As bytes: making a string of each would cost more than hashing it.
  const plain = mirror.store.driver.prepare<[], { bid: number; hash: Buffer; data: Buffer }>(
    'select bid, hash, cast(data as blob) as data from bodies',
  );
  for (const { bid, hash, data } of plain.iterate()) look(bid, hash, data);
  for (const { bid, hash } of supersededRows(mirror)) look(bid, hash, supersededText(mirror, bid));
  return { problems, count, bytes };
}

function* supersededRows(mirror: Mirror): IterableIterator<{ bid: number; hash: Buffer }> {
  const rows = mirror.store.prepare<{ bid: number; hash: Buffer }>(
    `select bid, hash from superseded where bid > ? order by bid limit ${BATCH}`,
  );
  for (let batch = rows.all(0); batch.length > 0; batch = rows.all(batch.at(-1)?.bid)) yield* batch;
}

/** The text of a superseded body; null when it is damaged, whatever the way. */
function supersededText(mirror: Mirror, bid: number): string | null {
  const read = mirror.store.prepare<{ data: string | null }>(`select ${supersededSql('?')} as data`);
  try {
    return read.get(bid)?.data ?? null;
  } catch (error) {
    // Inflating damaged bytes fails; a database that cannot be read is another matter.
    if (error instanceof Error && !('code' in error && String(error.code).startsWith('SQLITE_'))) return null;
    throw error;
  }
}
