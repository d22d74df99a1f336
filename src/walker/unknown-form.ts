// A platform that knows no document trees refuses that form of a text, or answers with another one. That is a failure of no page once
// enough of them said so and none ever had one: then the snapshot says that the platform does not offer them.
import { toAppError } from '../base/index.ts';
import { ApiError } from '../client/index.ts';
import { kindNames, kindOf, type KindName } from '../contract/index.ts';
import { failedOf, noteFailure, noteNotOffered, withdrawNotOffered, type FailedBelow } from '../mirror/index.ts';
import { isOffered, recordFailure, withdraw, type Place, type Visited } from './failures.ts';
import type { Walk } from './types.ts';

// One page may be refused for what stands in it.
const BELIEVED_AFTER = 5;
// Of an answer in another form.
const OK = 200;

/** The kinds that are another form of what they stand beside. */
const FORMS = kindNames.filter((kind) => {
  const { read } = kindOf(kind);
  return read.from === 'beside' && read.query !== undefined;
});

/** Records the failure of a visit, unless it only says once more that the platform does not know the form. Call inside a transaction. */
export function recordUnread(walk: Walk, place: Visited, error: unknown): void {
  const status = error instanceof ApiError ? error.status : null;
  const isOfForm = FORMS.includes(place.kind) && refusesForm({ code: toAppError(error).code, status });
  if (isOfForm && walk.notOffered.has(place.kind) && !isOffered(walk, place.kind)) return;
  recordFailure(walk, place, error);
  if (isOfForm) takeBackUnknown(walk);
}

/** After a page was read in the form: those that were taken for pages of a platform without it are lacking. Call inside a transaction. */
export function knowForm(walk: Walk, { kind, resource }: Place): void {
  if (!walk.notOffered.delete(kind)) return;
  withdrawNotOffered(walk, kind);
  const failed = { request: '', status: null, code: 'DM_INCOMPLETE' };
  const error = `The platform has this ${kind}, and had said of others that it has none; they are read in the next walk`;
  noteFailure(walk, { kind, resource, ...failed, error });
}

function takeBackUnknown(walk: Walk): void {
  const unknown = FORMS.map((kind) => ({ kind, failed: unknownOf(walk, kind) }));
  const isBelieved = unknown.some(({ kind, failed }) => walk.notOffered.has(kind) || failed.length >= BELIEVED_AFTER);
  if (!isBelieved) return;
  for (const { kind, failed } of unknown) {
    const [first] = failed;
    if (first === undefined) continue;
    withdraw(walk, failed);
    walk.notOffered.add(kind);
    noteNotOffered(walk, { kind, request: first.request, status: first.status ?? OK });
  }
}

/** What failed of a kind, where all of it says so and none was ever read. */
function unknownOf(walk: Walk, kind: KindName): FailedBelow[] {
  const failed = isOffered(walk, kind) ? [] : failedOf(walk, kind);
  return failed.every(refusesForm) ? failed : [];
}

function refusesForm({ code, status }: Pick<FailedBelow, 'code' | 'status'>): boolean {
  return code === 'DM_NO_DOCUMENT' || status === 400 || status === 422;
}
