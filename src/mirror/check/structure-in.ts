import type Database from 'better-sqlite3';

const MOST_TOLD = 20;

/** What SQLite finds wrong with the file of a database, in its words. Blocks for as long as it takes to read it. */
export function structureIn(driver: Database.Database): string[] {
  const rows = driver.pragma(`integrity_check(${MOST_TOLD})`) as { integrity_check: string }[];
  return rows.map((row) => row.integrity_check).filter((said) => said !== 'ok');
}
