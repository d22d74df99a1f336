// A platform that knows no document trees refuses that form of a text, or answers with another one. That is a failure of no page once
// enough of them said so and none ever had one: then the snapshot says that the platform does not offer them.
import { toAppError, type ErrorCode } from '../base/index.ts';
import { ApiError } from '../client/index.ts';
import { formKinds, parentKind, readWith, type KindName } from '../contract/index.ts';
import {
  clearReadMarks,
  failedOf,
  heldOf,
  lastSealed,
  noteFailure,
  noteNotOffered,
  notOfferedIn,
  resourceByNumber,
  withdrawNotOffered,
  type FailedBelow,
} from '../mirror/index.ts';
import { isOffered, recordFailure, withdraw, type Asked, type Visited } from './failures.ts';
import type { Walk } from './types.ts';
import { firstWithout } from './visits/page-text.ts';

// One page may be refused for what stands in it.
const BELIEVED_AFTER = 5;
// Of an answer in another form.
const OK = 200;
const LACKING = 'DM_INCOMPLETE' satisfies ErrorCode;

/** Records the failure of a visit, unless it only says once more that the platform does not know the form. Call inside a transaction. */
export function recordUnread(walk: Walk, asked: Visited, error: unknown): void {
  const status = error instanceof ApiError ? error.status : null;
  const isOfForm = formKinds.includes(asked.kind) && refusesForm({ code: toAppError(error).code, status });
  if (isOfForm && walk.notOffered.has(asked.kind) && !isOffered(walk, asked.kind)) return;
  recordFailure(walk, asked, error);
  if (isOfForm) takeBackUnknown(walk);
}

/** After a page was read in the form: those that were taken for pages of a platform without it are lacking. Call inside a transaction. */
export function knowForm(walk: Walk, { kind }: Pick<Asked, 'kind'>): void {
  if (!walk.notOffered.delete(kind)) return;
  withdrawNotOffered(walk, kind);
  askAnew(walk, kind);
}

/**
 * What the last snapshot said of the form, once all is visited: it is so still where none was read, however few pages say it; else what this
 * walk did not come by is lacking. Not before, or one page that is refused for what stands in it would keep all others from being asked for.
 */
export function settleForms(walk: Walk): void {
  const former = formKinds.filter((kind) => wasNotOffered(walk, kind));
  if (former.length === 0 || walk.settings.documents !== true) return;
  walk.mirror.store.transaction(() => {
    for (const kind of former) {
      if (!isOffered(walk, kind)) takeBack(walk, kind, unknownOf(walk, kind));
      else if (!failedOf(walk, kind).some(({ code }) => code === LACKING)) askAnew(walk, kind);
    }
  });
}

/** Has the next walk read the trees of pages that have a text and nothing of this kind beside it; the snapshot lacks those. */
function askAnew(walk: Walk, kind: KindName): void {
  const page = parentKind(kind) ?? kind;
  const tree = readWith(page);
  let first: string | undefined;
  for (const { rid } of heldOf(walk.mirror, tree)) {
    const lacking = firstWithout(walk.mirror, { scope: rid, kind: page, beside: kind });
    const scope = lacking && resourceByNumber(walk.mirror, rid)?.scope;
    if (lacking === undefined || typeof scope !== 'number') continue;
    clearReadMarks(walk.mirror, scope, tree);
    first ??= `${lacking['spaceId'] ?? ''}/*`;
  }
  if (first === undefined) return;
  const error = `The platform said that it has no ${kind}, and shows some now; those of this space and of others are read in the next walk`;
  noteFailure(walk, { kind, resource: first, request: '', status: null, code: LACKING, error });
}

function wasNotOffered({ mirror }: Walk, kind: KindName): boolean {
  const last = lastSealed(mirror);
  return last !== undefined && notOfferedIn(mirror, last.id).some((one) => one.kind === kind);
}

function takeBackUnknown(walk: Walk): void {
  const unknown = formKinds.map((kind) => ({ kind, failed: unknownOf(walk, kind) }));
  const isBelieved = unknown.some(({ kind, failed }) => walk.notOffered.has(kind) || failed.length >= BELIEVED_AFTER);
  if (isBelieved) for (const { kind, failed } of unknown) takeBack(walk, kind, failed);
}

function takeBack(walk: Walk, kind: KindName, failed: readonly FailedBelow[]): void {
  const [first] = failed;
  if (first === undefined) return;
  withdraw(walk, failed);
  walk.notOffered.add(kind);
  noteNotOffered(walk, { kind, request: first.request, status: first.status ?? OK });
}

/** What says so of a kind of which none was ever read. One that failed otherwise is lacking all the same. */
function unknownOf(walk: Walk, kind: KindName): FailedBelow[] {
  return isOffered(walk, kind) ? [] : failedOf(walk, kind).filter(refusesForm);
}

function refusesForm({ code, status }: Pick<FailedBelow, 'code' | 'status'>): boolean {
  return code === 'DM_NO_DOCUMENT' || status === 400 || status === 422;
}
