// Words of commands that people copy.
import { isAbsolute, relative } from 'node:path';

const PLAIN = /^[A-Za-z0-9_./:=@%+,-]+$/;

/** A text as one word of a shell: a path with a space in it, in a command that people copy. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A path as one types it here: relative when it lies below the working directory. */
export function pathFromHere(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near;
}
