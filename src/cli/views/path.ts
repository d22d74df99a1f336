import { isAbsolute, relative } from 'node:path';

/** A path as one types it here: relative when it lies below the working directory. */
export function pathFromHere(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near;
}
