// Integrity of database and objects.
import { bodyReferences, boundsOf, readBodies, type Portion } from './check-bodies.ts';
import type { Mirror } from './database.ts';
import { firstTampered } from './manifest.ts';
import { brokenPaths } from './resource-paths.ts';
import { legibleTextSql } from './stored-text.ts';
import { isWhole } from './whole-bodies.ts';

export interface CheckProblem {
  readonly what: 'database' | 'manifest' | 'object' | 'body' | 'reference';
  readonly which: string;
  readonly problem: string;
}

export interface CheckResult {
  readonly problems: CheckProblem[];
  readonly objects: number;
  /** Texts and JSON whose hash was compared. */
  readonly bodies: number;
  /** Bytes of objects and texts that were read. */
  readonly bytesRead: number;
}

export interface CheckOptions {
  /** Whether stored bytes are read and compared with their hash: all of them, or a portion. */
  readonly readData: boolean | Portion;
}

/**
 * Checks the database's own structure, its references, the chain of manifests and that every object is there with its size;
 * with `readData` also the hash of every object and body, or of a portion of them. Reports all problems, changes nothing.
 */
export async function checkMirror(mirror: Mirror, options: CheckOptions): Promise<CheckResult> {
  const portion = typeof options.readData === 'boolean' ? (options.readData ? ALL : NOTHING) : options.readData;
  const problems = [...structure(mirror), ...references(mirror)];
  const tampered = problems.length === 0 ? firstTampered(mirror) : null;
  if (tampered !== null) {
    problems.push({
      what: 'manifest',
      which: `snapshot ${tampered}`,
      problem: 'its manifest does not fit what is stored',
    });
  }
  problems.push(...paths(mirror));
  const objects = await checkObjects(mirror, portion, problems);
  const bodies = readBodies(mirror, portion);
  problems.push(...bodies.problems);
  return { problems, objects: objects.count, bodies: bodies.count, bytesRead: objects.bytes + bodies.bytes };
}

const ALL: Portion = { from: 0, to: 1 };
const NOTHING: Portion = { from: 0, to: 0 };

function structure(mirror: Mirror): CheckProblem[] {
  const rows = mirror.store.driver.pragma('integrity_check(20)') as { integrity_check: string }[];
  return rows
    .filter((row) => row.integrity_check !== 'ok')
    .map((row) => ({ what: 'database', which: 'mirror.db', problem: row.integrity_check }));
}

function references(mirror: Mirror): CheckProblem[] {
  const rows = mirror.store.driver.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[];
  const keys = rows.slice(0, 20).map(({ table, rowid, parent }) => ({
    what: 'reference' as const,
    which: `${table} ${rowid}`,
    problem: `names a row that is not in ${parent}`,
  }));
  return [...keys, ...bodyReferences(mirror)];
}

function paths(mirror: Mirror): CheckProblem[] {
  return Array.from(brokenPaths(mirror), ({ rid, kind, key }) => ({
    what: 'reference' as const,
    which: `resources ${rid} (${kind} ${key})`,
    problem: 'its path is not that of its key',
  }));
}

async function checkObjects(
  mirror: Mirror,
  portion: Portion,
  problems: CheckProblem[],
): Promise<{ count: number; bytes: number }> {
  const rows = mirror.store
    .prepare<{ object: string; size: number }>('select distinct object, size from versions where object is not null')
    .all();
  const [from, to] = boundsOf(portion);
  let bytes = 0;
  for (const { object, size } of rows) {
    const hash = Buffer.from(object, 'hex');
    const found = mirror.objects.sizeOf(object);
    if (found === null) problems.push({ what: 'object', which: object, problem: 'missing' });
    else if (found !== size)
      problems.push({ what: 'object', which: object, problem: `${found} bytes, expected ${size}` });
    else if (hash.compare(from) >= 0 && hash.compare(to) < 0) {
      bytes += found;
      if (!(await mirror.objects.verify(object)))
        problems.push({ what: 'object', which: object, problem: 'its bytes have another hash' });
    }
  }
  return { count: rows.length, bytes };
}

/** The first resource of a snapshot whose body or text has another hash than when it was stored; null when all are whole. */
export function damagedBodyAt(mirror: Mirror, snapshot: number): string | null {
  interface Row {
    kind: string;
    key: string;
    hash: Buffer;
    data: string | null;
  }
  const rows = ['body', 'text'].map((role) =>
    mirror.store.driver.prepare<[number, number], Row>(
      `select r.kind, r.key, coalesce(b.hash, s.hash) as hash, ${legibleTextSql('b.data', `v.${role}`)} as data
       from versions v join resources r on r.rid = v.rid left join bodies b on b.bid = v.${role} left join superseded s on s.bid = v.${role}
       where v.valid_from <= ? and (v.valid_to is null or v.valid_to > ?) and v.${role} is not null`,
    ),
  );
  for (const role of rows) {
    for (const { kind, key, hash, data } of role.iterate(snapshot, snapshot))
      if (data === null || !isWhole({ hash, data })) return `${kind} ${key}`;
  }
  return null;
}
