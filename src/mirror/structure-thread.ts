// What a thread of its own runs: it reads through the database at a path, once.
import { parentPort } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { structureIn } from './structure-in.ts';

/** What SQLite finds wrong; null where it could not be asked: whoever asks again will see why. */
export type Structure = readonly string[] | null;

parentPort?.once('message', (path: string) => {
  parentPort?.postMessage(structureAt(path) satisfies Structure);
});

function structureAt(path: string): Structure {
  try {
    const driver = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return structureIn(driver);
    } finally {
      driver.close();
    }
  } catch {
    return null;
  }
}
