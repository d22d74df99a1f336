// Integrity of database and objects.
import { endOfTurn, inTurns, type Pieces } from '../../base/index.ts';
import { bodyReferences } from './body-references.ts';
import { withFiles } from './holders.ts';
import { boundsOf, NONE_READ, readBodies, TEXTS, type BodiesRead, type Portion } from './check-bodies.ts';
import type { Mirror } from '../database/database.ts';
import { firstTampered } from '../snapshots/manifest.ts';
import { atOneInstant } from '../database/one-instant.ts';
import { structureOf } from './structure.ts';
import { foreignDefinitions, newDefinitions } from './definitions.ts';
import { brokenNotes } from './journal-notes.ts';
import { danglingReferences } from './references.ts';
import { brokenPaths } from './resource-paths.ts';
import { brokenSearch } from './search-index.ts';
import { brokenSharedTrees } from './shared-trees.ts';
import { brokenSpans, forgedTombstones, strayNotes } from './spans.ts';
import { foreignDrills } from '../restores/journal.ts';
import type { NamedObject } from '../bodies/objects.ts';
import { isNamed, objectsIn } from './named-objects.ts';
import { Unseen } from './unseen.ts';

export interface CheckProblem {
  readonly what: 'database' | 'manifest' | 'object' | 'body' | 'reference' | 'drill' | 'journal' | 'search' | 'view';
  readonly which: string;
  readonly problem: string;
  /** The first and the last kept snapshot that show the text or file; absent for anything else, and where none shows it. */
  readonly first?: number;
  readonly last?: number;
}

export interface CheckResult {
  readonly problems: CheckProblem[];
  readonly objects: number;
  /** Texts and JSON whose hash was compared. */
  readonly bodies: number;
  /** Bytes of objects and texts that were read. */
  readonly bytesRead: number;
}

/** How far a check is with what it reads: the texts in the database, and the objects beside it. */
export interface CheckProgress {
  readonly part: 'texts' | 'files';
  readonly done: number;
  readonly total: number;
}

export interface CheckOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CheckProgress) => void;
  /** Whether stored bytes are read and compared with their hash: all of them, or a portion. */
  readonly readData: boolean | Portion;
}

/**
 * Checks the database's own structure, its references, the chain of manifests, from when to when all holds, the full-text index and
 * the views over it, and that every object is there with its size; with `readData` also the hash of every object and body, or of a
 * portion of them. Reports all problems, changes nothing.
 */
export async function checkMirror(
  mirror: Mirror,
  { readData, signal, onProgress }: CheckOptions,
): Promise<CheckResult> {
  const portion = typeof readData === 'boolean' ? (readData ? ALL : NOTHING) : readData;
  const structure = (await structureOf(mirror, { signal })).map((problem) => ({
    what: 'database' as const,
    which: 'mirror.db',
    problem,
  }));
  const definitions = await newDefinitions();
  // What is sealed, forgotten or freed meanwhile would look like damage.
  const checking = atOneInstant(mirror, checkDatabase(mirror, { portion, onProgress, definitions }, structure));
  const { rows, bodies, ...found } = await inTurns(checking, signal);
  const objects = await checkObjects(mirror, { rows, portion, signal, onProgress });
  const problems = [...found.problems, ...objects.problems, ...bodies.problems];
  return { problems, objects: rows.length, bodies: bodies.count, bytesRead: objects.bytes + bodies.bytes };
}

interface Reading {
  readonly portion: Portion;
  readonly onProgress: CheckOptions['onProgress'] | undefined;
}

interface Compared extends Reading {
  /** The views and full-text tables of a new mirror. */
  readonly definitions: Awaited<ReturnType<typeof newDefinitions>>;
}

interface Found extends Pick<CheckResult, 'problems'> {
  readonly rows: readonly NamedObject[];
  readonly bodies: BodiesRead;
}

function* checkDatabase(mirror: Mirror, compared: Compared, structure: readonly CheckProblem[]): Pieces<Found> {
  const looks: readonly (readonly [string, Pieces<CheckProblem[]>])[] = [
    ['references', danglingReferences(mirror)],
    ['references to texts', bodyReferences(mirror)],
    ['the chain of manifests', tampered(mirror)],
    ['from when to when versions hold', brokenSpans(mirror)],
    ['proofs of absence', forgedTombstones(mirror)],
    ['shared pages of change requests', brokenSharedTrees(mirror)],
    ['notes of the walk', quickly(() => strayNotes(mirror))],
    ['keys', paths(mirror)],
    ['drills', quickly(() => drills(mirror))],
    ['journals of restores', quickly(() => brokenNotes(mirror))],
    ['the full-text index', brokenSearch(mirror)],
    ['views', quickly(() => foreignDefinitions(mirror, compared.definitions))],
  ];
  const unseen = new Unseen();
  const problems = [...structure];
  for (const [name, look] of looks)
    for (const problem of (yield* unseen.piecesOrNull(name, look)) ?? []) problems.push(problem);
  const told = (done: number, total: number): void => compared.onProgress?.({ part: 'texts', done, total });
  const reading = readBodies(mirror, { portion: compared.portion, told, unseen });
  const bodies = yield* unseen.piecesOrNull(TEXTS, reading);
  const rows = objectsIn(mirror, unseen);
  yield;
  return { problems: [...problems, ...unlooked(unseen)], rows, bodies: bodies ?? NONE_READ };
}

/** Nothing of it is known: that is no proof that it is whole. */
function unlooked({ names }: Unseen): CheckProblem[] {
  if (names.length === 0) return [];
  const problem = `could not be looked at to the end, since the database is damaged there: ${names.join(', ')}`;
  return [{ what: 'database', which: 'mirror.db', problem }];
}

function* tampered(mirror: Mirror): Pieces<CheckProblem[]> {
  const first = yield* firstTampered(mirror);
  if (first === null) return [];
  return [{ what: 'manifest', which: `snapshot ${first}`, problem: 'its manifest does not fit what is stored' }];
}

function* quickly<T>(look: () => T): Pieces<T> {
  yield;
  return look();
}

const ALL: Portion = { from: 0, to: 1 };
const NOTHING: Portion = { from: 0, to: 0 };

function* paths(mirror: Mirror): Pieces<CheckProblem[]> {
  return (yield* brokenPaths(mirror)).map(({ rid, kind, key, problem }) => ({
    what: 'reference' as const,
    which: `resources ${rid} (${kind} ${key})`,
    problem,
  }));
}

/** Whether a restore is proven rests on them. */
function drills(mirror: Mirror): CheckProblem[] {
  return foreignDrills(mirror).map((id) => ({
    what: 'drill',
    which: `drills ${id}`,
    problem: 'no drill has written it so',
  }));
}

interface Looked extends Reading {
  readonly rows: readonly NamedObject[];
  readonly signal: AbortSignal | undefined;
}

// So many are looked at in some ten milliseconds.
const OBJECTS_AT_ONCE = 500;

async function checkObjects(
  mirror: Mirror,
  { rows, portion, signal, onProgress }: Looked,
): Promise<{ problems: readonly CheckProblem[]; bytes: number }> {
  const [from, to] = boundsOf(portion);
  const problems: CheckProblem[] = [];
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    signal?.throwIfAborted();
    if (index % OBJECTS_AT_ONCE === OBJECTS_AT_ONCE - 1) await endOfTurn();
    onProgress?.({ part: 'files', done: index, total: rows.length });
    const hash = Buffer.from(row.object, 'hex');
    const isRead = hash.compare(from) >= 0 && hash.compare(to) < 0;
    const problem = await objectProblem(mirror, row, isRead);
    if (problem === null && isRead) bytes += row.size;
    // Freed since the rows were read, it is no loss.
    if (problem !== null && isNamed(mirror, row.object)) problems.push({ what: 'object', which: row.object, problem });
  }
  return { problems: namedObjects(mirror, problems), bytes };
}

/** As they are, where the database is too damaged to tell. */
function namedObjects(mirror: Mirror, problems: readonly CheckProblem[]): readonly CheckProblem[] {
  return new Unseen().orNull('what holds damaged files', () => withFiles(mirror, problems)) ?? problems;
}

async function objectProblem(
  { objects }: Mirror,
  { object, size }: NamedObject,
  isRead: boolean,
): Promise<string | null> {
  const found = objects.sizeOf(object);
  if (found === null) return 'missing';
  if (found !== size) return `${found} bytes, expected ${size}`;
  return isRead && !(await objects.verify(object)) ? 'its bytes have another hash' : null;
}
