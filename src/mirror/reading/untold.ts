// Where a snapshot says nothing: what its walk could not read, or the token is refused. That something is lacking there proves nothing.
import { isKindName, kindOf, type KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { readerAt } from './reader.ts';
import { failuresOf } from '../observe/reads.ts';
import { refusedIn } from '../observe/refused.ts';

/** True for what stands in a place of which a snapshot says nothing. */
export type IsUntold = (kind: KindName, key: string) => boolean;

export function untoldIn(mirror: Mirror, snapshot: number): IsUntold {
  const lacking = [...failuresOf(mirror, snapshot), ...refusedIn(mirror, snapshot)];
  const names = new Set(lacking.map(({ kind, resource }) => `${kind} ${resource}`));
  // It itself, its listing, or what a walk that ended early did not come to beside it.
  const isNamed = (kind: string, key: string, above: string): boolean =>
    [key, above, `${above}/*`].some((resource) => names.has(`${kind} ${resource}`));
  const organizations = names.size === 0 ? [] : [...readerAt(mirror, snapshot).resources('organization')];
  const isUntold = (kind: KindName, key: string): boolean => {
    const { parent, params } = kindOf(kind);
    const above = key.slice(0, Math.max(0, key.lastIndexOf('/')));
    if (isNamed(kind, key, above)) return true;
    if (parent === null || !isKindName(parent)) return false;
    const holder = kindOf(parent).params;
    // The key of a space or collection does not tell in which organization it stands.
    if (holder.some((name, i) => name !== params[i])) return organizations.some((one) => isNamed(kind, key, one.key));
    return isUntold(parent, key.split('/', holder.length).join('/'));
  };
  return names.size === 0 ? () => false : isUntold;
}
