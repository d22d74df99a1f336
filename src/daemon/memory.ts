// What the daemon must still know after a restart and what is in no snapshot: a small file in the data directory.
import { readFileSync } from 'node:fs';
import {
  ensurePrivateDirectory,
  isRecord,
  toAppError,
  writeFileAtomic,
  type Json,
  type Logger,
} from '../base/index.ts';
import { dirname } from 'node:path';

/** Values by name. What cannot be read counts as not there, what cannot be written is logged: no night ends for it. */
export interface Memory {
  get(name: string): Json | undefined;
  /** Kept in this process at once, on the disk soon after. */
  set(name: string, value: Json): Promise<void>;
}

export function openMemory(file: string, log: Logger): Memory {
  const values = read(file, log);
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    try {
      await ensurePrivateDirectory(dirname(file));
      await writeFileAtomic(file, `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`);
    } catch (error) {
      log.warn({ err: toAppError(error) }, 'what the daemon remembers could not be written');
    }
  };
  return {
    get: (name) => values.get(name),
    set: (name, value) => {
      values.set(name, value);
      writing = writing.then(write);
      return writing;
    },
  };
}

function read(file: string, log: Logger): Map<string, Json> {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return new Map(Object.entries(isRecord(found) ? found : {}) as [string, Json][]);
  } catch (error) {
    const isNew = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isNew) log.warn({ err: toAppError(error) }, 'what the daemon remembered could not be read');
    return new Map();
  }
}
