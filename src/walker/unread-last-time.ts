// What the last snapshot could not read: the next walk begins with it, and asks for it although what holds it tells of it as it is held.
import { spaceOf, type KindName } from '../contract/index.ts';
import { failedKeys, lastSealed, type Mirror } from '../mirror/index.ts';
import { besides } from './wanted.ts';

export interface UnreadLastTime {
  /** Ids of the spaces in which something was not read. */
  readonly spaces: ReadonlySet<string>;
  /** True for what is listed by a tree and was not read by itself, or what stands beside it was not. Of visits that were not made a walk names none. */
  readonly isEntry: (kind: KindName, key: string) => boolean;
}

export function unreadLastTime(mirror: Mirror): UnreadLastTime {
  const last = lastSealed(mirror);
  const failed = last === undefined ? [] : failedKeys(mirror, last.id);
  const inSpaces = failed.filter(({ kind, resource }) => spaceOf(kind, resource) !== null);
  const names = new Set(inSpaces.map(({ kind, resource }) => nameOf(kind, resource)));
  return {
    spaces: new Set(inSpaces.flatMap(({ kind, resource }) => spaceOf(kind, resource) ?? [])),
    // A tree may be of thousands, of which mostly nothing was left unread.
    isEntry: (kind, key) => names.size > 0 && [kind, ...besides(kind)].some((one) => names.has(nameOf(one, key))),
  };
}

function nameOf(kind: string, key: string): string {
  return `${kind} ${key}`;
}
