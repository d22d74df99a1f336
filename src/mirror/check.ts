// Integrity of database and objects.
import { createHash } from 'node:crypto';
import type { Mirror } from './database.ts';
import { firstTampered } from './manifest.ts';

export interface CheckProblem {
  readonly what: 'database' | 'manifest' | 'object' | 'body' | 'reference';
  readonly which: string;
  readonly problem: string;
}

export interface CheckResult {
  readonly problems: CheckProblem[];
  readonly objects: number;
  readonly bodies: number;
  readonly bytesRead: number;
}

/**
 * Checks the database's own structure, its references, the chain of manifests and that every object is there with its size;
 * with `readData` also the hash of every object and body. Reports all problems, changes nothing.
 */
export async function checkMirror(mirror: Mirror, options: { readData: boolean }): Promise<CheckResult> {
  const problems = [...structure(mirror), ...references(mirror)];
  const tampered = problems.length === 0 ? firstTampered(mirror) : null;
  if (tampered !== null) {
    problems.push({
      what: 'manifest',
      which: `snapshot ${tampered}`,
      problem: 'its manifest does not fit what is stored',
    });
  }
  const objects = await checkObjects(mirror, options.readData, problems);
  const bodies = options.readData ? checkBodies(mirror, problems) : { count: 0, bytes: 0 };
  return { problems, objects: objects.count, bodies: bodies.count, bytesRead: objects.bytes + bodies.bytes };
}

function structure(mirror: Mirror): CheckProblem[] {
  const rows = mirror.store.driver.pragma('integrity_check(20)') as { integrity_check: string }[];
  return rows
    .filter((row) => row.integrity_check !== 'ok')
    .map((row) => ({ what: 'database', which: 'mirror.db', problem: row.integrity_check }));
}

function references(mirror: Mirror): CheckProblem[] {
  const rows = mirror.store.driver.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[];
  return rows.slice(0, 20).map((row) => ({
    what: 'reference',
    which: `${row.table} ${row.rowid}`,
    problem: `names a row that is not in ${row.parent}`,
  }));
}

async function checkObjects(
  mirror: Mirror,
  readData: boolean,
  problems: CheckProblem[],
): Promise<{ count: number; bytes: number }> {
  const rows = mirror.store
    .prepare<{ object: string; size: number }>('select distinct object, size from versions where object is not null')
    .all();
  let bytes = 0;
  for (const { object, size } of rows) {
    const found = mirror.objects.sizeOf(object);
    if (found === null) problems.push({ what: 'object', which: object, problem: 'missing' });
    else if (found !== size)
      problems.push({ what: 'object', which: object, problem: `${found} bytes, expected ${size}` });
    else if (readData) {
      bytes += found;
      if (!(await mirror.objects.verify(object)))
        problems.push({ what: 'object', which: object, problem: 'its bytes have another hash' });
    }
  }
  return { count: rows.length, bytes };
}

/** The first resource of a snapshot whose body or text has another hash than when it was stored; null when all are whole. */
export function damagedBodyAt(mirror: Mirror, snapshot: number): string | null {
  const rows = mirror.store.driver.prepare<[number, number], { kind: string; key: string; hash: Buffer; data: string }>(
    `select r.kind, r.key, b.hash, b.data from versions v join resources r on r.rid = v.rid
     join bodies b on b.bid = v.body or b.bid = v.text
     where v.valid_from <= ? and (v.valid_to is null or v.valid_to > ?)`,
  );
  for (const row of rows.iterate(snapshot, snapshot)) if (!isWhole(row)) return `${row.kind} ${row.key}`;
  return null;
}

function isWhole({ hash, data }: { hash: Buffer; data: string }): boolean {
  return createHash('sha256').update(data).digest().equals(hash);
}

function checkBodies(mirror: Mirror, problems: CheckProblem[]): { count: number; bytes: number } {
  let count = 0;
  let bytes = 0;
  const rows = mirror.store.driver.prepare<[], { bid: number; hash: Buffer; size: number; data: string }>(
    'select bid, hash, size, data from bodies',
  );
  for (const row of rows.iterate()) {
    count += 1;
    bytes += row.size;
    if (!isWhole(row)) {
      problems.push({ what: 'body', which: String(row.bid), problem: 'its text has another hash' });
    }
  }
  return { count, bytes };
}
