// What the platform refuses to the token (403; 402 for what a higher plan is needed for; 404 for a listing that was never read). It is a
// failure, unless a person said with --accept-rights that the rights of the token are as they should be. Then a refusal makes no snapshot partial, and what was held of the
// refused place ends: the content of a space only when the space is refused as well; organizations, collections and spaces never here,
// but when a direct read of them is refused (absent.ts).
import { ApiError } from '../client/index.ts';
import { isInSpace, kindOf, pathFor, spaceOf, type OperationName } from '../contract/index.ts';
import {
  bury,
  CONTAINERS,
  currentOf,
  dropRefusedBelowEnded,
  heldBelow,
  heldByKey,
  hasRightsOfItsOwn,
  isListed,
  isNotFoundStatus,
  isRefusalAccepted,
  noteRefused,
  refusedSince,
  type Evidence,
  type Held,
  type Refusal,
} from '../mirror/index.ts';
import { endsWalk, type Asked, type Visited } from './failures.ts';
import { scopeText } from './scope.ts';
import type { Walk } from './types.ts';
import { buryValues } from './visits/field-values.ts';

/** What a refusal means: a failure; nothing yet, until it is repeated; or a right that the token is not meant to have. */
export type RefusalVerdict = 'failure' | 'ask again' | 'meant';

interface Refused {
  readonly asked: Visited;
  readonly error: unknown;
  /** It was asked for before in this walk, with the same answer. */
  readonly isRepeated: boolean;
  /** The platform refuses the space itself, too, of which this is the content. */
  readonly isSpaceRefused: boolean;
}

/** Judges an error of a visit; every one that is no refusal is a failure. */
export function judgeRefusal(walk: Walk, { asked, error, isRepeated, isSpaceRefused }: Refused): RefusalVerdict {
  if (!isOwnRead(walk, asked, error)) return 'failure';
  const held = heldAt(walk, asked);
  if (held.length === 0 && isRefusalAccepted(walk, asked)) return 'meant';
  const endsWith = held.length === 0 || mayEnd(asked) ? 'itself' : endsWithSpace(asked) ? 'space' : 'nothing';
  if (walk.acceptRights !== true || endsWith === 'nothing') return 'failure';
  // A single answer ends nothing: it may be of one moment.
  if (!isRepeated) return 'ask again';
  return endsWith === 'itself' || isSpaceRefused ? 'meant' : 'failure';
}

/**
 * Asks, where content of a space was refused twice, whether the space is refused by its own id as well: others may see it, so that
 * listings show it, and the token may not any more. Answers false where nothing hangs on that.
 */
export async function isSpaceRefused(walk: Walk, { kind, resource }: Asked, error: unknown): Promise<boolean> {
  if (walk.acceptRights !== true || !endsWithSpace({ kind }) || !isRefusal(error)) return false;
  const input = { path: pathFor('getSpace', { spaceId: spaceOf(kind, resource) ?? '' }) };
  for (const _ of ['once', 'again']) {
    try {
      await walk.client.callRaw('getSpace', input, { signal: walk.signal });
      return false;
    } catch (own) {
      if (endsWalk(own)) throw own;
      if (!isRefusal(own)) return false;
    }
  }
  return true;
}

/** Takes in a refusal that is meant. Call inside a transaction. */
export function takeRefusal(walk: Walk, asked: Visited, error: unknown): void {
  if (!(error instanceof ApiError)) return;
  const request = `${error.method} ${error.target}`;
  const status = error.status ?? 403;
  const evidence = acceptedLoss(request, status);
  for (const one of heldAt(walk, asked)) {
    bury(walk, one, evidence);
    if (asked.kind === 'custom-field') buryValues(walk, one, evidence);
  }
  noteRefused(walk, { ...asked, request, status });
  walk.log.info({ kind: asked.kind, resource: asked.resource }, 'is refused to the token, as was accepted');
}

/** True for a refusal of the platform itself: a proxy in front of it may say 403 too, but without the platform's error body. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'DM_FORBIDDEN' && error.platformMessage !== null;
}

/** Why something ends that is there, and that the token may not see any more. */
export function acceptedLoss(request: string, status: number): Evidence {
  return {
    listing: 'none: the loss of the right was accepted',
    listed: 0,
    direct: { request, status },
    accepted: true,
  };
}

// By the listing of a collection spaces are found, and none ends: each is asked for by itself.
const LISTING_NO_KIND: readonly OperationName[] = ['listCollectionSpaces'];

/** True when the refused request is the one that reads this kind: a visit may make others beside it. */
function isOwnRead(walk: Walk, asked: Visited, error: unknown): error is ApiError {
  if (!hasRightsOfItsOwn(asked.kind) || !(error instanceof ApiError)) return false;
  const { read, get } = kindOf(asked.kind);
  const own: readonly unknown[] =
    read.from === 'list' || read.from === 'single' ? [read.operation] : [get, ...LISTING_NO_KIND];
  return own.includes(error.operation) && (isRefusal(error) || isHidden(walk, asked, error));
}

/**
 * True for "not found" of a listing of which nothing is held: a platform may say so, instead of 403, to those who may not see it. The API
 * document does not tell which. Of an operation that it does not have a platform often says so by a page, or with nothing; since nothing
 * ends by it, that counts as well.
 */
function isHidden(walk: Walk, asked: Visited, error: ApiError): boolean {
  if (!isNotFoundStatus(error.status)) return false;
  return isListed(asked.kind) && heldAt(walk, asked).length === 0;
}

/** Whether what is held of a kind may end because its listing is refused. Content, and containers of content, may not. */
function mayEnd({ kind }: Visited): boolean {
  const { read, parent } = kindOf(kind);
  return (read.from !== 'single' || parent === 'site') && !CONTAINERS.has(kind);
}

/** True for content that is read in one piece below a space: it can end only with the space itself. */
function endsWithSpace({ kind }: Pick<Asked, 'kind'>): boolean {
  return kindOf(kind).read.from === 'single' && isInSpace(kind);
}

/** What is held of what was refused: the resource itself, or all that its listing showed. */
function heldAt({ mirror }: Walk, { kind, resource, scope }: Visited): readonly Held[] {
  if (kindOf(kind).read.from !== 'routes') return heldBelow(mirror, { scope, kind });
  const own = heldByKey(mirror, kind, resource);
  return own === undefined ? [] : [{ rid: own.rid, kind, key: resource, params: {} }];
}

/** Takes over what the last snapshot named, unless nobody wants it any more. Before a walk is sealed. */
export function carryRefused(walk: Walk): void {
  walk.mirror.store.transaction(() => {
    dropRefusedBelowEnded(walk);
    const asked = new Set(withdrawnSpaces(walk));
    for (const one of refusedSince(walk))
      if (isStillMeant(walk, one) && !(one.kind === 'space' && asked.has(one.resource))) noteRefused(walk, one);
  });
}

/** Spaces that ended because they are refused: no listing shows them, so a full walk asks for each whether it still is. */
export function withdrawnSpaces(walk: Walk): string[] {
  if (walk.mode !== 'full' || scopeText(walk) !== null) return [];
  const refused = refusedSince(walk).flatMap(({ kind, resource }) => (kind === 'space' ? resource : []));
  // That of a collection, too, whose listing of spaces is refused.
  return refused.filter((key) => currentOf(walk.mirror, 'space', key) !== undefined);
}

/** An invite or space that only the configuration names stays refused as long as the configuration names it. */
function isStillMeant({ mirror, scope }: Walk, { kind, resource }: Pick<Refusal, 'kind' | 'resource'>): boolean {
  if (kind === 'invite')
    return scope.invites?.includes(resource) === true || currentOf(mirror, kind, resource) !== undefined;
  return kind !== 'space' || scope.extraSpaces.includes(resource) || currentOf(mirror, kind, resource) !== undefined;
}
