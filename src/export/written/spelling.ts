// Names as the export wrote them, where the file system lists them its own way: in lower case, or with marks apart from their letters.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { foldName } from '../layout/names.ts';

export interface SpellingOptions {
  readonly root: string;
  /** Names that the export has in a folder, which is '' or ends with `/`; those of folders end so too. */
  readonly written: (folder: string) => Iterable<string>;
  /** Names that the file system lists in a folder. */
  readonly listed?: (place: string) => readonly string[];
  readonly isSame?: (place: string, other: string) => boolean;
}

/** Tells by which path the export knows what is listed. */
export class Spelling {
  readonly #options: Required<SpellingOptions>;
  /** Folders that are listed otherwise than they were written. */
  readonly #folders = new Map<string, string>();
  /** What a folder has that is not listed as it was written, by its name without case and forms. */
  readonly #unlisted = new Map<string, ReadonlyMap<string, string>>();

  constructor({ listed = readdirSync, isSame = isSameFile, ...options }: SpellingOptions) {
    this.#options = { ...options, listed, isSame };
  }

  /** The path as it was written; as it is listed, where the export has none of that. A folder ends with `/`, and comes before what it holds. */
  of(path: string): string {
    const { root, isSame } = this.#options;
    const end = path.lastIndexOf('/', path.length - 2) + 1;
    const listed = path.slice(0, end);
    const folder = this.#folders.get(listed) ?? listed;
    const name = path.slice(end);
    const own = this.#unlistedIn(folder).get(foldName(name));
    const written = own !== undefined && isSame(join(root, folder, own), join(root, path)) ? own : name;
    if (folder + written !== path && path.endsWith('/')) this.#folders.set(path, folder + written);
    return folder + written;
  }

  #unlistedIn(folder: string): ReadonlyMap<string, string> {
    const known = this.#unlisted.get(folder);
    if (known !== undefined) return known;
    const { root, written, listed } = this.#options;
    const there = new Set(listed(join(root, folder)));
    const unlisted = [...written(folder)].filter((name) => !there.has(name.replace(/\/$/, '')));
    const found = new Map(unlisted.map((name) => [foldName(name), name]));
    this.#unlisted.set(folder, found);
    return found;
  }
}

/** True for two names of one file or folder. */
export function isSameFile(place: string, other: string): boolean {
  const [one, two] = [place, other].map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
}
