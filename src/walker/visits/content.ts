// The visit of a revision: its tree is read once, compared page by page, and only what moved is read further. Later the
// revision is compared again, so that the texts of a space never come from two revisions unsaid.
import { AppError, isRecord } from '../../base/index.ts';
import { directRead, kindOf, parentKind, pathFor, type KindName } from '../../contract/index.ts';
import {
  addVisit,
  bodyOf,
  clearShortage,
  currentOf,
  doubtBelow,
  failedBelow,
  isEnded,
  isUnsettledBelow,
  keyOf,
  lastSealed,
  lastVisit,
  noteShortage,
  readMark,
  setReadMark,
  type Doubted,
  type FailedBelow,
} from '../../mirror/index.ts';
import { uncountedIn } from './counted.ts';
import { lacksDocuments } from './documents.ts';
import { noteInFull } from '../full-order.ts';
import { recordFailure, saysGone, undocumented, withdraw } from '../failures.ts';
import type { ListingVisit } from './listing.ts';
import { placeOf, STAGES } from '../order.ts';
import { isPutOff } from '../put-off.ts';
import { keptBody, type Body } from './parts.ts';
import { isBelieved } from './shortage.ts';
import { isOfSettled, stageOf } from './settled.ts';
import { renewSpace } from './spaces.ts';
import { take } from '../take.ts';
import { partsOf, takePart } from './tree.ts';
import type { Walk } from '../types.ts';
import { besides, isWanted, mayMark } from '../wanted.ts';

export interface ContentVisit extends ListingVisit {
  readonly scope: number;
  /** It is that of a settled change request. */
  readonly isSettled?: boolean;
  /** How often the revision had moved when it was compared. */
  readonly round?: number;
  /** Names of what is held and none of the readings before the last has counted. */
  readonly uncounted?: readonly string[];
}

export interface ConfirmVisit extends ContentVisit {
  readonly revision: string;
  readonly round: number;
}

const MOST_ROUNDS = 3;

/** Reads the revision with its tree. */
export async function readContent(walk: Walk, visit: ContentVisit): Promise<Body> {
  const { read } = kindOf(visit.kind);
  if (read.from !== 'single') throw new Error(`${visit.kind} is no revision`);
  const answer = await walk.client.callRaw(
    read.operation,
    { path: pathFor(read.operation, visit.path) },
    { signal: walk.signal, largeLists: listsIn(visit.kind) },
  );
  if (!isRecord(answer)) throw undocumented(`The answer for ${visit.kind} is not an object`);
  return answer;
}

/** Names of the fields that hold what a revision consists of, pages within pages too. */
function listsIn(revisionKind: KindName): string[] {
  return Object.keys(kindOf(revisionKind).embeds ?? {});
}

/** Takes in a tree: the revision, what is unchanged in it, and a visit for each page and file that has to be read. */
export function takeContent(walk: Walk, visit: ContentVisit, body: Body): void {
  const params = Object.fromEntries(kindOf(visit.kind).params.map((name) => [name, visit.path[name] ?? '']));
  const before = lastVisit(walk.mirror);
  const again = (visit.round ?? 0) > 0;
  const { rid } = take(walk, { kind: visit.kind, params, scope: visit.scope, body: keptBody(visit.kind, body), again });
  walk.treesRead.add(rid);
  if (visit.kind === 'revision') noteInFull(walk, visit.scope);
  const uncounted = again ? withdrawParts(walk, visit, rid) : [];
  const part = { revision: rid, params, again, uncounted: new Set(uncounted), stands: !again && stands(walk, visit) };
  for (const kind of partsOf(walk, visit.kind)) takePart(walk, { ...part, kind }, body);
  // A tree that led to nothing more is of one revision by itself, if it is the one that its parent told of.
  const isWhole = lastVisit(walk.mirror) === before && bodyOf(walk.mirror, visit.scope)?.['revision'] === idOf(body);
  if (isWhole) return settle(walk, visit);
  const told = again ? { uncounted } : {};
  const confirm: ConfirmVisit = { ...visit, ...told, revision: idOf(body), round: visit.round ?? 0 };
  // After all that the tree led to, direct reads of what it lacks included.
  addVisit(walk, {
    task: 'confirm',
    stage: STAGES.settle,
    params: { ...confirm },
    place: placeOf(walk, visit.path),
  });
}

/** True for the revision of a settled change request, all of which was read on an earlier night. */
function stands(walk: Walk, { scope, kind, path, mark }: ContentVisit): boolean {
  return isOfSettled(walk, path) && readMark(walk.mirror, scope, kind)?.mark === mark;
}

/** What could not be read is asked for anew with the tree, unless that has it no more. Answers what was not counted until now. */
function withdrawParts(walk: Walk, visit: ContentVisit, revision: number): string[] {
  const failed = failuresOfParts(walk, visit);
  const uncounted = uncountedIn(walk, { revision, failed, uncounted: visit.uncounted });
  withdraw(walk, failed);
  return uncounted;
}

function idOf(body: Body): string {
  return typeof body['id'] === 'string' ? body['id'] : '';
}

/** Sets the mark, unless something of the tree could not be read or its absence is not settled. */
function settle(walk: Walk, visit: ContentVisit): void {
  const rid = currentOf(walk.mirror, visit.kind, keyOf(visit.kind, visit.path))?.rid;
  if (rid !== undefined && doubtBelow(walk, rid) === null) clearShortage(walk.mirror, { scope: rid, kind: visit.kind });
  if (rid === undefined || isUnsettledBelow(walk.mirror, rid) || !mayMark(walk, visit.kind)) return;
  if (hasFailedAnew(walk, visit) || lacksDocuments(walk, rid, partsOf(walk, visit.kind))) return;
  // What its parent tells of moves on with the next answer; the mark is of what was told.
  if (!isToldOf(walk, visit, rid)) return;
  setReadMark(walk, { scope: visit.scope, kind: visit.kind, mark: visit.mark ?? '' });
}

function isToldOf({ mirror }: Walk, { scope }: ContentVisit, rid: number): boolean {
  const told = bodyOf(mirror, scope)?.['revision'];
  return told === undefined || told === bodyOf(mirror, rid)?.['id'];
}

/** Parts of the tree, and what stands beside one, that could not be read in this snapshot or an earlier one. */
function failuresOfParts(walk: Walk, visit: ContentVisit, id = walk.id): FailedBelow[] {
  const parts = partsOf(walk, visit.kind);
  return failedBelow({ mirror: walk.mirror, id }, [...parts, ...parts.flatMap(besides)], keyOf(visit.kind, visit.path));
}

function hasFailed(walk: Walk, visit: ContentVisit): boolean {
  return failuresOfParts(walk, visit).length > 0;
}

/** What was put off fails on the nights of the rota alone. */
function hasFailedAnew(walk: Walk, visit: ContentVisit): boolean {
  return failuresOfParts(walk, visit).some((one) => !isPutOff(walk, one));
}

/**
 * True when something of the tree was not there when it was asked for: it may have gone meanwhile, which the tree tells, read once more.
 * What was not there in the walk before either is listed without being there, and is not asked for twice.
 */
function lacksParts(walk: Walk, visit: ConfirmVisit): boolean {
  const lacking = visit.round === 0 ? failuresOfParts(walk, visit).filter(saysGone) : [];
  const before = lacking.length === 0 ? undefined : lastSealed(walk.mirror);
  const then = before === undefined ? [] : failuresOfParts(walk, visit, before.id).filter(saysGone);
  const known = new Set(then.map(nameOfFailed));
  return lacking.some((one) => !known.has(nameOfFailed(one)));
}

function nameOfFailed({ kind, resource }: FailedBelow): string {
  return `${kind} ${resource}`;
}

/** True when a document tree that this walk wants was another text's than its page each time, and nothing says so yet. */
function awaitsDocuments(walk: Walk, visit: ContentVisit): boolean {
  const rid = currentOf(walk.mirror, visit.kind, keyOf(visit.kind, visit.path))?.rid;
  const pages = partsOf(walk, visit.kind).filter((part) => besides(part).every((kind) => isWanted(walk, kind)));
  return rid !== undefined && !hasFailed(walk, visit) && lacksDocuments(walk, rid, pages);
}

/** What stands in a tree and is not what the tree told of. */
function doubtAbout(walk: Walk, visit: ContentVisit): Doubted | null {
  const rid = currentOf(walk.mirror, visit.kind, keyOf(visit.kind, visit.path))?.rid;
  return rid === undefined ? null : doubtBelow(walk, rid);
}

/** True when a tree has long lacked as much that is there when it is asked for: the platform keeps what its trees have left. */
function isKnownLack(walk: Walk, { kind }: ContentVisit, { scope, doubt, count }: Doubted): boolean {
  return doubt === 'lacking' && isBelieved(walk, { scope, kind, missing: count });
}

/** Reads what holds the revision once more: it says which one is active now. */
export async function readHolder(walk: Walk, visit: ConfirmVisit): Promise<Body> {
  const operation = directRead(parentKind(visit.kind) ?? visit.kind);
  const answer = await walk.client.callRaw(
    operation,
    { path: pathFor(operation, visit.path) },
    { signal: walk.signal },
  );
  return isRecord(answer) ? answer : {};
}

/** Sets the mark when nothing moved and nothing failed; else reads again, a few times, and then says so. */
export function takeConfirmation(walk: Walk, visit: ConfirmVisit, holder: Body): void {
  // Deleted while it was read.
  if (isEnded(walk, visit.scope)) return;
  const before = lastVisit(walk.mirror);
  conclude(walk, visit, typeof holder['revision'] === 'string' ? holder['revision'] : null);
  // Last, and only when it is not read again: a mark is of what its listing told.
  if (visit.kind === 'revision' && lastVisit(walk.mirror) === before) renewSpace(walk, holder);
}

function movedWords(revision: string, active: string | null): string {
  return active === null
    ? `What was read cannot be confirmed: asked again, ${MOST_ROUNDS} times, its holder told of no revision (expected ${revision})`
    : `The content moved while it was read, ${MOST_ROUNDS} times; its texts may be of two revisions (${revision}, ${active})`;
}

function conclude(walk: Walk, visit: ConfirmVisit, active: string | null): void {
  const { revision, round, ...content } = visit;
  const stood = active === revision;
  const doubted = doubtAbout(walk, visit);
  const isRead = stood && !awaitsDocuments(walk, visit) && !lacksParts(walk, visit);
  if (isRead && (doubted === null || isKnownLack(walk, visit, doubted))) return settle(walk, visit);
  if (round + 1 < MOST_ROUNDS) {
    const params = { ...content, round: round + 1 };
    const stage = stageOf(walk, visit.kind, visit.path);
    addVisit(walk, { task: 'content', params, stage, place: placeOf(walk, visit.path) });
    return;
  }
  const doubt = stood ? doubted?.doubt : undefined;
  if (isRead && doubt === 'place') return settle(walk, visit);
  if (doubted !== null && doubt === 'lacking')
    noteShortage(walk, { scope: doubted.scope, kind: visit.kind }, doubted.count);
  const still = `${MOST_ROUNDS} times, while the revision stood still (${revision})`;
  const what = !stood
    ? movedWords(revision, active)
    : doubt === 'text' || doubt === 'lacking'
      ? `Pages or files were others than the tree told of, or lacking from it, ${still}`
      : `Document trees were of other texts than their pages, ${still}`;
  const error = new AppError('DM_INCOMPLETE', what, { hint: 'Run `docmirror sync` again when the space is quieter.' });
  recordFailure(walk, { kind: visit.kind, resource: keyOf(visit.kind, visit.path), scope: visit.scope }, error);
}
