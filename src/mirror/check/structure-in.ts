import type Database from 'better-sqlite3';
import { isDamage } from './unseen.ts';

const MOST_TOLD = 20;

/**
 * What SQLite finds wrong with the file of a database, in its words. Blocks for as long as it takes to read it. It ends at the first page
 * that is none: then each table is gone through by itself, and named.
 */
export function structureIn(driver: Database.Database): string[] {
  const { said, isTorn } = integrity(driver, MOST_TOLD);
  if (!isTorn && said.length === 0) return [];
  const tables = namesIn(driver).flatMap((table) => ofTable(driver, table));
  if (tables.length > 0) return tables;
  return isTorn ? [...said, 'SQLite could not go through it to its end'] : [...said];
}

function ofTable(driver: Database.Database, table: string): string[] {
  const { said, isTorn } = integrity(driver, `'${table.replaceAll("'", "''")}'`);
  if (said.length > 0) return said.map((words) => `table ${table}: ${words}`);
  return isTorn ? [`table ${table}: it cannot be read to its end`] : [];
}

interface Integrity {
  readonly said: readonly string[];
  /** It ended before all was looked at. */
  readonly isTorn: boolean;
}

function integrity(driver: Database.Database, of: number | string): Integrity {
  const said: string[] = [];
  try {
    const rows = driver.prepare<[], string>(`pragma integrity_check(${of})`).pluck();
    for (const words of rows.iterate()) if (words !== 'ok') said.push(words.replace(HEAD, ''));
    return { said, isTorn: false };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { said, isTorn: true };
  }
}

// Before the first of several lines.
const HEAD = /^\*\*\* in database \w+ \*\*\*\n/;

function namesIn(driver: Database.Database): string[] {
  // Those that lie in others, as a full-text index does, have no page of their own.
  const sql = `select name from sqlite_schema where type = 'table' order by rootpage = 0, rootpage`;
  return ['sqlite_schema', ...driver.prepare<[], string>(sql).pluck().all()];
}
