// What a visit's failure means: for the visit, or for the whole walk.
import { AppError, isAbort, toAppError } from '../base/index.ts';
import { ApiError } from '../client/index.ts';
import { kindOf, kindsBelow, type KindName } from '../contract/index.ts';
import {
  bodyOf,
  clearReadMarks,
  failedBelow,
  isAnyHeld,
  noteFailure,
  noteNotOffered,
  noteShortage,
  withdrawFailures,
  type FailedBelow,
} from '../mirror/index.ts';
import { isPutOff } from './put-off.ts';
import { isBelieved, shortageIn } from './visits/shortage.ts';
import type { Walk } from './types.ts';

/** What a read asks for. */
export interface Asked {
  readonly kind: KindName;
  /** Key of the resource, or of the one whose children were asked for. */
  readonly resource: string;
}

/** With the number of the resource below which it stands; null where there is none. */
export interface Visited extends Asked {
  readonly scope: number | null;
}

// These say nothing about one resource: to go on would turn every visit into a failure. Of a limit that is one address's, and of
// no other, see `lanes.ts`.
const FATAL_CODES = new Set([
  'DM_RATE_LIMITED',
  'DM_DISK_FULL',
  'DM_TOO_MANY_OPEN',
  'DM_LEASE_LOST',
  'DM_DATA_DIR_UNUSABLE',
  'DM_DATABASE_DAMAGED',
  'DM_PROGRAM_CHANGED',
  'DM_INTERNAL',
]);

/** True when the walk must stop here and be continued later. */
export function endsWalk(error: unknown): boolean {
  return isAbort(error) || FATAL_CODES.has(toAppError(error).code);
}

/**
 * The status with which the platform itself says that something is not there (any more); undefined for every other error. A web
 * page or a broken-off answer with such a status proves nothing.
 */
export function goneStatus(error: unknown): number | undefined {
  return error instanceof ApiError && error.status !== null && saysGone(error) ? error.status : undefined;
}

/** The same of a failure that was recorded. */
export function saysGone({ code, status }: { readonly code: string; readonly status: number | null }): boolean {
  return code === 'DM_NOT_FOUND' || (code === 'DM_HTTP_STATUS' && status === 410);
}

/** True when the answer says that the platform has no such operation. */
export function saysNotOffered(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 501 || error.status === 405);
}

/**
 * Records what could not be read. An operation that the platform does not offer is no failure as long as nothing of that
 * kind was ever read: then it says so in the snapshot. Call inside a transaction.
 */
export function recordFailure(walk: Walk, asked: Visited, error: unknown): void {
  if (saysNotOffered(error) && !isOffered(walk, asked.kind)) {
    if (!isCountedAbove(walk, asked)) {
      walk.notOffered.add(asked.kind);
      noteNotOffered(walk, { kind: asked.kind, request: describe(error), status: error.status ?? 0 });
      return;
    }
    if (asked.scope !== null) noteShortage(walk, { scope: asked.scope, kind: asked.kind }, shortageAt(walk, asked));
  }
  const known: AppError = toAppError(error);
  noteFailure(walk, {
    kind: asked.kind,
    resource: asked.resource,
    request: describe(known),
    status: known instanceof ApiError ? known.status : null,
    code: known.code,
    error: known.message,
  });
  if (asked.scope !== null && !isPutOff(walk, { ...asked, code: known.code }))
    clearReadMarks(walk.mirror, asked.scope, asked.kind);
}

/** Takes failures back, in the log too: what could not be read is asked for anew, or no more among what is there. */
export function withdraw(walk: Walk, failures: readonly FailedBelow[]): void {
  withdrawFailures(walk, failures);
  walk.telling.takenBack(failures.length);
}

/** What could not be read below something is not lacking once that is gone. */
export function withdrawBelow(walk: Walk, { kind, key }: { readonly kind: KindName; readonly key: string }): void {
  // A collection lists its spaces, which stand below the organization.
  const listed = kind === 'collection' ? (['space'] as const) : [];
  withdraw(walk, failedBelow(walk, [...kindsBelow(kind), ...listed], key));
}

/** True for a visit of a kind that the platform does not offer, where nothing says that there is something to be read. */
export function isLeftOut(walk: Walk, asked: Visited): boolean {
  return walk.notOffered.has(asked.kind) && !isOffered(walk, asked.kind) && shortageAt(walk, asked) <= 0;
}

/** True for a kind of which something is known to be there: held, or listed by a tree. */
export function isOffered({ mirror }: Walk, kind: KindName): boolean {
  return kindOf(kind).read.from === 'part' || isAnyHeld(mirror, kind);
}

/** True when the parent counts what is refused, and has not done so for long: a platform may count what it does not show. */
function isCountedAbove(walk: Walk, { kind, scope }: Visited): boolean {
  const missing = shortageAt(walk, { kind, scope });
  return scope !== null && missing > 0 && !isBelieved(walk, { scope, kind, missing });
}

/** How many of a kind a parent counts. */
function shortageAt({ mirror }: Walk, { kind, scope }: Pick<Visited, 'kind' | 'scope'>): number {
  return scope === null ? 0 : shortageIn(kind, bodyOf(mirror, scope), 0);
}

/** An error about an answer without something that the walk goes by. */
export function undocumented(what: string): AppError {
  return new AppError('DM_BAD_RESPONSE', what, {
    hint: 'The platform sent something that its API does not document.',
  });
}

function describe(error: AppError): string {
  return error instanceof ApiError ? `${error.method} ${error.target}` : '';
}
