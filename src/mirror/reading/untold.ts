// Where a snapshot says nothing: what its walk could not read, or the token is refused. That something is lacking there proves nothing.
import { isKindName, kindOf, routesTo, type KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { readerAt, type SnapshotReader } from './reader.ts';
import { SEALED } from '../snapshots/sealed-states.ts';
import { failuresOf, notOfferedIn } from '../observe/failures.ts';
import { refusedIn } from '../observe/refused.ts';
import { isRoutedIn } from '../observe/routes.ts';

/** True for what stands in a place of which a snapshot says nothing. */
export type IsUntold = (kind: KindName, key: string) => boolean;

export interface UntoldOptions {
  /**
   * Whether it is about what a snapshot never had: all that its walk could not read counts then, and each listing that would have shown a
   * space. What it has ended, it has ended by an answer about that very thing; there only what is refused is untold.
   */
  readonly isNew: boolean;
}

/** What a snapshot says nothing of. Costs its failures; a question costs the depth of a key. */
export function untoldIn(mirror: Mirror, snapshot: number, { isNew }: UntoldOptions): IsUntold {
  return isNew && isOfPart(mirror, snapshot) ? () => true : notToldIn(mirror, snapshot, { isNew });
}

/** What the walk of a snapshot could not read: the snapshot may lack it, or show it as an earlier walk has seen it. */
export function failedIn(mirror: Mirror, snapshot: number): IsUntold {
  return notToldIn(mirror, snapshot, { isNew: true });
}

function notToldIn(mirror: Mirror, snapshot: number, { isNew }: UntoldOptions): IsUntold {
  const failures = isNew ? failuresOf(mirror, snapshot) : [];
  const lacking = [...failures, ...refusedIn(mirror, snapshot)];
  const notOffered = new Set(isNew ? notOfferedIn(mirror, snapshot).map(({ kind }) => kind) : []);
  const names = new Set(lacking.map(({ kind, resource }) => `${kind} ${resource}`));
  // It itself, its listing, or what a walk that ended early did not come to beside it or beside its listing.
  const isNamed = (kind: string, key: string, above: string): boolean =>
    notOffered.has(kind) ||
    [key, above, `${above}/*`, `${aboveOf(above)}/*`].some((resource) => names.has(`${kind} ${resource}`));
  const reader = readerAt(mirror, snapshot);
  const isUnrouted = isNew && lacking.some(({ kind, resource }) => ROUTES.has(kind) || isRoute(reader, kind, resource));
  const organizations = names.size === 0 ? [] : [...reader.resources('organization')];
  const isUntold = (kind: KindName, key: string): boolean => {
    const { parent, params } = kindOf(kind);
    if (isNamed(kind, key, aboveOf(key))) return true;
    // What another route has shown is told, whatever the listing that failed would have shown besides.
    if (kind === 'space' && isUnrouted && !isRoutedIn(mirror, snapshot, key)) return true;
    if (parent === null || !isKindName(parent)) return false;
    const holder = kindOf(parent).params;
    // The key of a space or collection does not tell in which organization it stands.
    if (holder.some((name, i) => name !== params[i])) return organizations.some((one) => isNamed(kind, key, one.key));
    return isUntold(parent, key.split('/', holder.length).join('/'));
  };
  return names.size + notOffered.size === 0 ? () => false : isUntold;
}

function aboveOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')));
}

const ROUTES: ReadonlySet<string> = new Set(routesTo('space'));

/** The listing of a collection's spaces is named by the collection. */
function isRoute(reader: SnapshotReader, kind: string, resource: string): boolean {
  return kind === 'space' && reader.one('space', resource) === undefined;
}

/** True for a limited walk before which none was of everything: of what lies outside of its limits nothing was ever read. */
function isOfPart({ store }: Mirror, snapshot: number): boolean {
  const sql = `select (select max(id) from snapshots where id <= @snapshot and scope is null and state in ${SEALED}) is null as found`;
  return store.prepare<{ found: number }>(sql).get({ snapshot })?.found === 1;
}
