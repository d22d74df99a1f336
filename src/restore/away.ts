// What the token does not reach on the platform: where it stands among the others, or whether, nobody knows.
import type { KindName } from '../contract/index.ts';
import { outOfReach, type Mirror } from '../mirror/index.ts';

/** True for what is out of reach. */
export type IsAway = (kind: KindName, key: string) => boolean;

/** Of a snapshot and since. */
export function awayIn(mirror: Mirror, snapshot: number): IsAway {
  const away = new Set(outOfReach(mirror, snapshot).map(({ kind, resource }) => `${kind} ${resource}`));
  return (kind, key) => away.has(`${kind} ${key}`);
}
