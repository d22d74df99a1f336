// The visit of a revision: its tree is read once, compared page by page, and only what moved is read further. Later the
// revision is compared again, so that the texts of a space never come from two revisions unsaid.
import { isRecord } from '../base/index.ts';
import { kindOf, kindNames, type KindName } from '../contract/index.ts';
import {
  addVisit,
  countKind,
  currentOf,
  ensureResource,
  failedBelow,
  keyOf,
  markOf,
  move,
  notAmong,
  noteFailure,
  observe,
  reappear,
  setReadMark,
  type Current,
} from '../mirror/index.ts';
import { absentAfter, pathFor, type ListingVisit } from './listing.ts';
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
  const { rid } = observe(walk.mirror, walk.id, {
    kind: visit.kind,
    params,
    scope: visit.scope,
    body: keptBody(visit.kind, body),
  });
  reappear(walk.mirror, rid);
  for (const kind of partsOf(visit.kind)) takePart(walk, { kind, revision: rid, params }, body);
  const confirm = { ...visit, revision: idOf(body), round: visit.round ?? 0 };
  addVisit(walk.mirror, walk.id, { task: 'confirm', stage: 1, params: { ...confirm } });
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
  const missing = notAmong(walk.mirror, part.revision, part.kind, seen);
  absentAfter(walk, { kind: part.kind, scope: part.revision, path: part.params, listed: seen.size, missing });
}

function takeEntry(
  walk: Walk,
  part: Part,
  place: { entry: Body; parent: number | null; position: number | null },
): number | null {
  const id = idIn(part.kind, place.entry);
  const own = kindOf(part.kind).params.at(-1) ?? '';
  if (id === undefined) {
    noteFailure(walk.mirror, walk.id, {
      kind: part.kind,
      resource: Object.values(part.params).join('/'),
      request: '',
      status: null,
      code: 'DM_BAD_RESPONSE',
      error: `A ${part.kind} of the revision has no id`,
    });
    return null;
  }
  const params = { ...part.params, [own]: id };
  const rid = ensureResource(walk.mirror, { kind: part.kind, params, scope: part.revision });
  compareEntry(walk, { kind: part.kind, params, scope: part.revision, ...place });
  return rid;
}

function compareEntry(walk: Walk, seen: Entry): void {
  const known = currentOf(walk.mirror, seen.kind, keyOf(seen.kind, seen.params));
  const mark = entryMark(seen.kind, seen.entry);
  if (known?.mark === mark && walk.mode === 'incremental') return takeUnchanged(walk, seen, known);
  const { text, bytes } = kindOf(seen.kind);
  const task = text && hasText(seen.entry) ? 'page' : bytes ? 'file' : null;
  if (task !== null && !reuse(walk, seen, mark)) {
    addVisit(walk.mirror, walk.id, { task, params: { ...seen } });
  } else if (task === null) {
    observe(walk.mirror, walk.id, {
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

function takeUnchanged(walk: Walk, seen: Entry, known: Current): void {
  reappear(walk.mirror, known.rid);
  const moved = seen.position !== null && (known.parent !== seen.parent || known.position !== seen.position);
  if (moved) move(walk.mirror, walk.id, known, { parent: seen.parent, position: seen.position ?? 0 });
  if (known.valid_from === walk.id) return;
  countKind(walk.mirror, walk.id, seen.kind, moved ? { seen: 1, changed: 1 } : { seen: 1, unchanged: 1 });
}

/** A change request mostly holds the pages and files of its space: what is the same there is not read twice. */
function reuse(walk: Walk, seen: Entry, mark: string): boolean {
  const twin = { 'change-request-page': 'page', 'change-request-file': 'file' } as const;
  if (seen.kind !== 'change-request-page' && seen.kind !== 'change-request-file') return false;
  const kind = twin[seen.kind];
  const main = currentOf(walk.mirror, kind, keyOf(kind, seen.params));
  if (main?.mark !== mark || (main.text === null && main.object === null)) return false;
  const kept = { ...seen, body: keptBody(seen.kind, seen.entry), mark };
  if (main.text !== null) observe(walk.mirror, walk.id, { ...kept, textBody: main.text });
  else observe(walk.mirror, walk.id, { ...kept, object: { sha256: main.object ?? '', size: main.size ?? 0 } });
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
    const whole = !failedBelow(walk.mirror, walk.id, partsOf(visit.kind), prefix);
    if (whole) setReadMark(walk.mirror, walk.id, { scope: visit.scope, kind: visit.kind, mark: visit.mark ?? '' });
    return;
  }
  if (round + 1 < MOST_ROUNDS) {
    addVisit(walk.mirror, walk.id, { task: 'content', params: { ...content, round: round + 1 } });
    return;
  }
  noteFailure(walk.mirror, walk.id, {
    kind: visit.kind,
    resource: prefix,
    request: '',
    status: null,
    code: 'DM_INCOMPLETE',
    error: `The content moved while it was read, ${MOST_ROUNDS} times; its texts may be of two revisions (${revision}, ${active ?? 'unknown'})`,
  });
}
