// The visit of a revision: its tree is read once, compared page by page, and only what moved is read further. Later the
// revision is compared again, so that the texts of a space never come from two revisions unsaid.
import { AppError, isRecord } from '../base/index.ts';
import { kindOf, kindNames, type KindName } from '../contract/index.ts';
import {
  addVisit,
  countKind,
  currentOf,
  ensureResource,
  failedBelow,
  isUnsettledBelow,
  keyOf,
  markOf,
  move,
  notAmong,
  observe,
  reappear,
  setReadMark,
  type Current,
} from '../mirror/index.ts';
import { recordFailure } from './failures.ts';
import { pathFor, type ListingVisit } from './listing.ts';
import { absentAfter } from './missing.ts';
import { idIn, keptBody, type Body } from './parts.ts';
import type { Walk } from './types.ts';

export interface ContentVisit extends ListingVisit {
  readonly scope: number;
  /** How often the revision had moved when it was compared. */
  readonly round?: number;
}

/** A page or file of a tree, on its way into the mirror. */
export interface Entry {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
  /** Number of the revision's resource. */
  readonly scope: number;
  readonly entry: Body;
  readonly parent: number | null;
  readonly position: number | null;
}

const MOST_ROUNDS = 3;

/** Reads the revision with its tree. */
export async function readContent(walk: Walk, visit: ContentVisit): Promise<Body> {
  const { read } = kindOf(visit.kind);
  if (read.from !== 'single') throw new Error(`${visit.kind} is no revision`);
  const answer = await walk.client.callRaw(
    read.operation,
    { path: pathFor(read.operation, visit.path) },
    { signal: walk.signal },
  );
  return isRecord(answer) ? answer : {};
}

/** Takes in a tree: the revision, what is unchanged in it, and a visit for each page and file that has to be read. */
export function takeContent(walk: Walk, visit: ContentVisit, body: Body): void {
  const params = Object.fromEntries(kindOf(visit.kind).params.map((name) => [name, visit.path[name] ?? '']));
  const { rid } = observe(walk, {
    kind: visit.kind,
    params,
    scope: visit.scope,
    body: keptBody(visit.kind, body),
  });
  reappear(walk.mirror, rid);
  const again = (visit.round ?? 0) > 0;
  for (const kind of partsOf(visit.kind)) takePart(walk, { kind, revision: rid, params, again }, body);
  const confirm = { ...visit, revision: idOf(body), round: visit.round ?? 0 };
  // After all that the tree led to, direct reads of what it lacks included.
  addVisit(walk, { task: 'confirm', stage: 2, params: { ...confirm } });
}

function idOf(body: Body): string {
  return typeof body['id'] === 'string' ? body['id'] : '';
}

function partsOf(revisionKind: KindName): KindName[] {
  return kindNames.filter((name) => {
    const { read } = kindOf(name);
    return read.from === 'part' && read.of === revisionKind;
  });
}

interface Part {
  readonly kind: KindName;
  readonly revision: number;
  readonly params: Readonly<Record<string, string>>;
  /** The tree is read once more, because it had moved: what is unchanged was counted before. */
  readonly again: boolean;
}

function takePart(walk: Walk, part: Part, body: Body): void {
  const { read } = kindOf(part.kind);
  if (read.from !== 'part') return;
  const seen = new Set<number>();
  const queue: { entries: unknown; parent: number | null }[] = [{ entries: body[read.field], parent: null }];
  for (let level = queue.shift(); level; level = queue.shift()) {
    const entries = Array.isArray(level.entries) ? level.entries.filter(isRecord) : [];
    for (const [position, entry] of entries.entries()) {
      const own = takeEntry(walk, part, { entry, parent: level.parent, position: read.nested ? position : null });
      if (own === null) continue;
      seen.add(own);
      if (read.nested && entry[read.nested] !== undefined) queue.push({ entries: entry[read.nested], parent: own });
    }
  }
  const missing = notAmong(walk.mirror, { scope: part.revision, kind: part.kind, seen: seen });
  absentAfter(walk, {
    kind: part.kind,
    scope: part.revision,
    path: part.params,
    mark: null,
    listed: seen.size,
    missing,
  });
}

function takeEntry(
  walk: Walk,
  part: Part,
  place: { entry: Body; parent: number | null; position: number | null },
): number | null {
  const id = idIn(part.kind, place.entry);
  const own = kindOf(part.kind).params.at(-1) ?? '';
  if (id === undefined) {
    const resource = `${Object.values(part.params).join('/')}/?`;
    const error = new AppError('DM_BAD_RESPONSE', `A ${part.kind} of the revision has no id`, {
      hint: 'The platform sent something that its API does not document.',
    });
    recordFailure(walk, { kind: part.kind, resource, scope: part.revision }, error);
    return null;
  }
  const params = { ...part.params, [own]: id };
  const rid = ensureResource(walk.mirror, { kind: part.kind, params, scope: part.revision });
  compareEntry(walk, { kind: part.kind, params, scope: part.revision, ...place }, part.again);
  return rid;
}

function compareEntry(walk: Walk, seen: Entry, again: boolean): void {
  const known = currentOf(walk.mirror, seen.kind, keyOf(seen.kind, seen.params));
  const mark = entryMark(seen.kind, seen.entry);
  if (known?.mark === mark && walk.mode === 'incremental') return takeUnchanged(walk, { seen, known, again });
  const { text, bytes } = kindOf(seen.kind);
  const task = text && hasText(seen.entry) ? 'page' : bytes ? 'file' : null;
  if (task !== null && !reuse(walk, seen, mark)) {
    addVisit(walk, { task, params: { ...seen } });
  } else if (task === null) {
    observe(walk, {
      ...seen,
      body: keptBody(seen.kind, seen.entry),
      mark,
      ...(text ? { text: null } : {}),
    });
  }
}

/** Hash of a tree entry without what lies below it and without its volatile fields. */
export function entryMark(kind: KindName, entry: Body): string {
  return markOf(kind, keptBody(kind, entry));
}

// Groups and links have no text, and a document without an id of its text is empty.
function hasText(entry: Body): boolean {
  if (entry['type'] === 'group' || entry['type'] === 'link') return false;
  return entry['documentId'] !== undefined || entry['computed'] !== undefined || entry['type'] !== 'document';
}

function takeUnchanged(walk: Walk, { seen, known, again }: { seen: Entry; known: Current; again: boolean }): void {
  reappear(walk.mirror, known.rid);
  const moved = seen.position !== null && (known.parent !== seen.parent || known.position !== seen.position);
  if (moved) move(walk, known, { parent: seen.parent, position: seen.position ?? 0 });
  if (known.valid_from === walk.id || (again && !moved)) return;
  countKind(walk, seen.kind, moved ? { seen: 1, changed: 1 } : { seen: 1, unchanged: 1 });
}

/** A change request mostly holds the pages and files of its space: what is the same there is not read twice. */
function reuse(walk: Walk, seen: Entry, mark: string): boolean {
  const twin = { 'change-request-page': 'page', 'change-request-file': 'file' } as const;
  if (seen.kind !== 'change-request-page' && seen.kind !== 'change-request-file') return false;
  const kind = twin[seen.kind];
  const main = currentOf(walk.mirror, kind, keyOf(kind, seen.params));
  if (main?.mark !== mark || (main.text === null && main.object === null)) return false;
  // A full walk believes nothing that it has not read itself.
  if (walk.mode === 'full' && main.valid_from !== walk.id) return false;
  const kept = { ...seen, body: keptBody(seen.kind, seen.entry), mark };
  if (main.text !== null) observe(walk, { ...kept, textBody: main.text });
  else observe(walk, { ...kept, object: { sha256: main.object ?? '', size: main.size ?? 0 } });
  return true;
}

export interface ConfirmVisit extends ContentVisit {
  readonly revision: string;
  readonly round: number;
}

/** Reads which revision is active now. */
export async function readActiveRevision(walk: Walk, visit: ConfirmVisit): Promise<string | null> {
  const operation = visit.kind === 'revision' ? 'getSpace' : 'getChangeRequest';
  const answer = await walk.client.callRaw(
    operation,
    { path: pathFor(operation, visit.path) },
    { signal: walk.signal },
  );
  return isRecord(answer) && typeof answer['revision'] === 'string' ? answer['revision'] : null;
}

/** Sets the mark when nothing moved and nothing failed; else reads again, a few times, and then says so. */
export function takeConfirmation(walk: Walk, visit: ConfirmVisit, active: string | null): void {
  const { revision, round, ...content } = visit;
  const prefix = kindOf(visit.kind)
    .params.map((name) => visit.path[name] ?? '')
    .join('/');
  if (active === revision) {
    const rid = currentOf(walk.mirror, visit.kind, prefix)?.rid;
    const settled = rid !== undefined && !isUnsettledBelow(walk.mirror, rid);
    if (settled && !failedBelow(walk, partsOf(visit.kind), prefix))
      setReadMark(walk, { scope: visit.scope, kind: visit.kind, mark: visit.mark ?? '' });
    return;
  }
  if (round + 1 < MOST_ROUNDS) {
    addVisit(walk, { task: 'content', params: { ...content, round: round + 1 } });
    return;
  }
  const seen = `${revision}, ${active ?? 'unknown'}`;
  const what = `The content moved while it was read, ${MOST_ROUNDS} times; its texts may be of two revisions (${seen})`;
  const error = new AppError('DM_INCOMPLETE', what, { hint: 'Run `docmirror sync` again when the space is quieter.' });
  recordFailure(walk, { kind: visit.kind, resource: prefix, scope: visit.scope }, error);
}
