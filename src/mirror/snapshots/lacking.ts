// What a snapshot lacks, each thing by its name: what it could not read, and what the token can no longer reach.
import { groupBy, type ErrorCode } from '../../base/index.ts';
import { isCopy, isInSpace, isKindName, kindOf, originalKind, spaceOf, type KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { failuresOf, type FailedPlace } from '../observe/failures.ts';
import { clearReadMarks } from '../observe/read-marks.ts';
import { isOneByItself, isRefusedStatus } from '../observe/refused.ts';

/** What the token can no longer reach by its own id: its last version still holds. */
export interface OutOfReach extends FailedPlace {
  /** HTTP status; null where nothing asked for it, since a right was lost above it. */
  readonly status: number | null;
}

/** What was out of reach in a snapshot and is so still, by kind and key. */
export function outOfReach({ store }: Mirror, snapshot: number): OutOfReach[] {
  const sql = `select r.kind, r.key as resource, u.status from unreachable u join resources r on r.rid = u.rid
    where u.since <= ? order by r.kind, r.key`;
  return store.prepare<OutOfReach>(sql).all(snapshot);
}

/** True for what the token was refused when it asked for it. */
export function isAskedAndRefused({ status }: Pick<OutOfReach, 'status'>): boolean {
  return isRefusedStatus(status);
}

/** Something that a snapshot lacks, and why. */
export interface Lacking extends FailedPlace {
  readonly code: string;
}

const REFUSED: ErrorCode = 'DM_FORBIDDEN';
const NOT_SHOWN: ErrorCode = 'DM_NOT_FOUND';

/** All that a snapshot lacks: it failed, or is out of reach. */
export function lackingIn(mirror: Mirror, snapshot: number): Lacking[] {
  const unreached = outOfReach(mirror, snapshot).map((one) => ({
    kind: one.kind,
    resource: one.resource,
    code: isAskedAndRefused(one) ? REFUSED : NOT_SHOWN,
  }));
  return [...failuresOf(mirror, snapshot), ...unreached];
}

/** True for a single page, file or the like that the token is refused by its own id: no loss of a right over what holds others. */
export function isRefusedAlone({ kind, code }: Pick<Lacking, 'kind' | 'code'>): boolean {
  return code === REFUSED && isKindName(kind) && isOneByItself(kind);
}

/** True for what the token is refused, and which is more than one thing by itself. */
export function isRefusedWhole(one: Pick<Lacking, 'kind' | 'code'>): boolean {
  return one.code === REFUSED && !isRefusedAlone(one);
}

/** True where several of a kind are refused one by one, and a space shows none besides: it is the space then that the token lost. */
export function isSpaceRefused(mirror: Mirror, lacking: readonly Lacking[]): boolean {
  const alone = lacking.filter((one) => isRefusedAlone(one) && isOfSpace(one.kind));
  const bySpace = groupBy(alone, ({ kind, resource }) => `${kind} ${spaceOf(kind, resource)}`);
  return [...bySpace.values()].some((of) => {
    const keys = new Set(of.map(({ resource }) => resource));
    return keys.size > 1 && heldBeside(mirror, of).every((key) => keys.has(key));
  });
}

/** Keys of what is held in the same space; of a page only where its text is: whoever may read the tree is shown the others. */
function heldBeside({ store }: Mirror, [first]: readonly Lacking[]): string[] {
  const { kind = '', resource = '' } = first ?? {};
  const sql = `select r.key from resources r join versions v on v.rid = r.rid and v.valid_to is null
    where r.kind = ? and r.space = ? and (r.kind <> 'page' or v.text is not null)`;
  const rows = store.prepare<{ key: string }>(sql).all(kind, spaceOf(kind, resource));
  return rows.map(({ key }) => key);
}

/** What a page, its document tree or a file of a change request is a copy of, where its space has that; null for all else. */
export function originalOf({ kind, resource }: FailedPlace): FailedPlace | null {
  const original = isKindName(kind) ? originalKind(kind) : null;
  const [space = '', , id = ''] = resource.split('/');
  return original === null ? null : { kind: original, resource: `${space}/${id}` };
}

/** Has the next walk read the tree of the change request in which a copy stands, whatever its mark says. */
export function askForCopy(mirror: Mirror, { kind, resource }: FailedPlace): void {
  if (!isKindName(kind) || !isCopy(kind)) return;
  const sql = `select rid from resources where kind = 'change-request' and key = ?`;
  const request = mirror.store.prepare<{ rid: number }>(sql).get(resource.split('/', 2).join('/'));
  if (request) clearReadMarks(mirror, request.rid, 'change-request-revision');
}

/** What a change request changes is not all that a space shows. */
function isOfSpace(kind: string): kind is KindName {
  return isKindName(kind) && isInSpace(kind) && kindOf(kind).params.length === 2;
}
