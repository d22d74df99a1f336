// What the daemon must still know after a restart and what is in no snapshot: a small file in the data directory. A `sync` by hand
// beside the daemon shares it, so it is read anew each time.
import { readFileSync } from 'node:fs';
import {
  codeOf,
  ensurePrivateDirectory,
  isRecord,
  tellingGone,
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

/** @param demandPlace Throws where nothing may be written now, such as where another disk is than before. */
export function openMemory(file: string, log: Logger, demandPlace = (): void => undefined): Memory {
  const unwritten = new Map<string, Json>();
  const read = reader(file, log);
  let writing: Promise<void> = Promise.resolve();
  let isSaid = false;
  const folder = dirname(file);
  const write = async (): Promise<void> => {
    const taken = [...unwritten];
    try {
      demandPlace();
      await ensurePrivateDirectory(folder);
      const values = Object.fromEntries([...read(), ...taken]);
      await writeFileAtomic(file, `${JSON.stringify(values, null, 2)}\n`);
      for (const [name, value] of taken) if (unwritten.get(name) === value) unwritten.delete(name);
      isSaid = false;
    } catch (error) {
      // Said once, until it can be written again: it is tried several times for each job.
      if (!isSaid)
        log.warn({ err: toAppError(tellingGone(error, folder)) }, 'what the daemon remembers could not be written');
      isSaid = true;
    }
  };
  return {
    get: (name) => (unwritten.has(name) ? unwritten.get(name) : read().get(name)),
    set: (name, value) => {
      unwritten.set(name, value);
      writing = writing.then(write);
      return writing;
    },
  };
}

/** A file that cannot be read is said once, until it can be again. */
function reader(file: string, log: Logger): () => Map<string, Json> {
  let isSaid = false;
  return () => {
    try {
      const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
      isSaid = false;
      return new Map(Object.entries(isRecord(found) ? found : {}) as [string, Json][]);
    } catch (error) {
      const isNew = codeOf(error) === 'ENOENT';
      if (!isNew && !isSaid) log.warn({ err: toAppError(error) }, 'what the daemon remembered could not be read');
      isSaid = !isNew;
      return new Map();
    }
  };
}
