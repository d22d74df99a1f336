// What a process of its own runs: it reads through the database at the path that it is given, once.
import { openToRead } from '../../base/index.ts';
import { structureIn } from './structure-in.ts';

/** What SQLite finds wrong; null where it could not be asked: whoever asks again will see why. */
export type Structure = readonly string[] | null;

const [, , path] = process.argv;
if (path !== undefined) process.send?.(structureAt(path) satisfies Structure);

function structureAt(path: string): Structure {
  try {
    const driver = openToRead(path);
    try {
      return structureIn(driver);
    } finally {
      driver.close();
    }
  } catch {
    return null;
  }
}
