// Requests in, answers out: tokens, the snapshot that is meant, pages of lists. Nothing here writes.
import { createHash, timingSafeEqual } from 'node:crypto';
import {
  AppError,
  canonicalJson,
  isAbort,
  toAppError,
  type Clock,
  type Logger,
  type Pieces,
  type Random,
  type Secret,
} from '../base/index.ts';
import {
  answeredMethod,
  answerTo,
  createMatcher,
  createSchemaChecks,
  invalid,
  jsonAnswer,
  operationOf,
  operationNames,
  readQuery,
  Refusal,
  refusalAnswer,
  unknownRoute,
  type Answer,
  type OperationName,
} from '../contract/index.ts';
import {
  lastSound,
  readerAt,
  resolveSnapshot,
  snapshotById,
  unreadIn,
  type Mirror,
  type Snapshot,
} from '../mirror/index.ts';
import { found } from './answer.ts';
import { createFileAddresses, type FileAddresses } from './file-addresses.ts';
import { keepMirror } from './kept-mirror.ts';
import { failureAnswer } from './failure-answer.ts';
import { List } from './list.ts';
import type { Ask } from './lists.ts';
import { recalling } from './recalling.ts';
import { EMBEDDED } from './show.ts';
import type { View } from './view.ts';

export interface ReplicaOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Who may read; nobody while there are none. */
  readonly tokens: readonly Secret[];
}

export interface ReplicaRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Values of the headers, by their names in lower case. */
  header(name: string): string | undefined;
  /** Where the replica is reached, without a slash at the end: addresses of files begin with it. */
  readonly base: string;
}

export interface Replica {
  /** Answers everything below `/v1/`; what looks through many texts, in pieces. Called off, it throws why, and logs nothing. */
  readonly answer: (request: ReplicaRequest) => Pieces<Answer>;
  /** What the address of a file leads to; null for an address that never was or has expired. */
  readonly files: FileAddresses;
}

const DEFAULT_LIMIT = 50;
/** Which snapshot is meant, instead of the last complete one. */
const AT_HEADER = 'docmirror-at';

/** The reads of the API at one snapshot. Everything that writes is a 405. */
export function createReplica(options: ReplicaOptions): Replica {
  const matcher = createMatcher();
  const checks = createSchemaChecks();
  const files = createFileAddresses(options);
  const lend = keepMirror(options);
  const known = new Set<string>(operationNames);
  const tokens = options.tokens.map((token) => hashOf(token.reveal()));
  const read = function* (request: ReplicaRequest): Pieces<Answer> {
    const mark = `${request.target}?`.indexOf('?');
    const [path, search] = [request.target.slice(0, mark), request.target.slice(mark + 1)];
    const match = matcher.match(answeredMethod(request.method), path);
    if (!match || !known.has(match.name) || operationOf(match.name).method !== 'GET')
      return unreadable(request.method, path, matcher.methods(path));
    demandToken(tokens, request.header('authorization'));
    const operation = match.name as OperationName;
    const ask: Ask = {
      operation,
      path: match.path,
      query: readQuery(checks, operationOf(operation), search) as Ask['query'],
    };
    return yield* lend((mirror) => answerAt(mirror, { ask, request, search, files }));
  };
  return {
    files,
    answer: function* answer(request) {
      try {
        return answerTo(request.method, yield* read(request));
      } catch (error) {
        // Nobody waits for the answer any more.
        if (isAbort(error)) throw error;
        return answerTo(request.method, failed(options.log, error));
      }
    },
  };
}

/** What is no read: 404 where the platform has nothing either, else 405, also for a path that only knows writes. */
function unreadable(method: string, path: string, methods: readonly string[]): Answer {
  if (methods.length === 0) return unknownRoute(method, path, []);
  const reads = methods.filter((one) => one === 'GET' || one === 'HEAD');
  const allow = reads.join(', ');
  const instead = allow === '' ? 'this address is only written to' : `only ${reads.join(' or ')} is possible here`;
  return refusalAnswer(new Refusal(405, `${method} is refused: the replica only reads, and ${instead}`), { allow });
}

function failed(log: Logger, error: unknown): Answer {
  if (error instanceof Refusal) return refusalAnswer(error);
  const { code, message } = toAppError(error);
  if (code === 'DM_SNAPSHOT_UNKNOWN') return refusalAnswer(new Refusal(400, message));
  if (code !== 'DM_NO_SNAPSHOT') log.error({ err: error }, 'the replica could not answer');
  return failureAnswer(code);
}

const NO_TOKEN =
  'The replica answers nobody yet, since it has no token. Set DOCMIRROR_REPLICA_TOKEN or DOCMIRROR_REPLICA_TOKEN_FILE (replica.token in the file) to one of its own, start Docmirror again, and send it as Authorization: Bearer <token>';

/** Compared by their hashes, so that the time taken tells nothing. */
function demandToken(tokens: readonly Buffer[], header: string | undefined): void {
  if (tokens.length === 0) throw new Refusal(401, NO_TOKEN);
  const given = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  if (given === undefined)
    throw new Refusal(401, 'The token of the replica (replica.token) is needed: Authorization: Bearer <token>');
  const hash = hashOf(given);
  if (!tokens.some((token) => timingSafeEqual(token, hash))) throw new Refusal(401, 'The token is not valid');
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

interface Answering {
  readonly ask: Ask;
  readonly request: ReplicaRequest;
  readonly search: string;
  readonly files: FileAddresses;
}

function* answerAt(mirror: Mirror, { ask, request, search, files }: Answering): Pieces<Answer> {
  const wanted = new URLSearchParams(search).get('at') ?? request.header(AT_HEADER) ?? null;
  const page = readToken(ask);
  const snapshot = page === null ? snapshotMeant(mirror, wanted) : resolveSnapshot(mirror, page.snapshot);
  const headers = headersOf(snapshot);
  const view: View = {
    reader: recalling(readerAt(mirror, snapshot.id), EMBEDDED),
    unread: unreadIn(mirror, snapshot),
    address: (file) => `${request.base}${files.make(file)}`,
  };
  try {
    const answer = yield* found(view, ask);
    const body =
      answer instanceof List ? yield* pageOf(answer, { ask, snapshot: snapshot.id, from: page?.from ?? 0 }) : answer;
    demandKept(mirror, snapshot);
    return jsonAnswer(200, body, headers);
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error, headers);
    if (error instanceof AppError && error.code === 'DM_INCOMPLETE') return failureAnswer(error.code, headers);
    throw error;
  }
}

/** Which snapshot an answer is from, and whether that lacks something. */
function headersOf({ id, started_at, state }: Snapshot): Record<string, string> {
  return {
    'docmirror-snapshot': String(id),
    'docmirror-snapshot-at': started_at,
    'docmirror-snapshot-state': state,
  };
}

/** What is read in pieces may lose what it reads between two of them. */
function demandKept(mirror: Mirror, { id }: Snapshot): void {
  try {
    snapshotById(mirror, id);
  } catch (error) {
    if (toAppError(error).code !== 'DM_SNAPSHOT_UNKNOWN') throw error;
    throw new Refusal(503, `Snapshot ${id} was forgotten while it was looked through: ask again`);
  }
}

function snapshotMeant(mirror: Mirror, at: string | null): Snapshot {
  if (at !== null) return resolveSnapshot(mirror, at);
  const snapshot = lastSound(mirror);
  if (snapshot) return snapshot;
  throw new AppError('DM_NO_SNAPSHOT', 'There is no complete snapshot yet', { hint: 'Run `docmirror sync` first.' });
}

interface PageToken {
  readonly snapshot: number;
  readonly from: number;
}

/** A token holds its snapshot: pages of one list never come from two. */
function* pageOf(list: List, { ask, snapshot, from }: PageToken & { readonly ask: Ask }): Pieces<unknown> {
  const { limit } = ask.query;
  const to = from + (typeof limit === 'number' && limit > 0 ? limit : DEFAULT_LIMIT);
  const more = to < list.length;
  const next = Buffer.from(JSON.stringify([nameOf(ask), snapshot, to])).toString('base64url');
  const items = yield* list.itemsFrom(from, to);
  return { ...(more ? { next: { page: next } } : {}), count: list.length, items, ...list.beside };
}

/** A token counts items, so it is good for the very same list only: with another filter or order it would skip some. */
function nameOf({ operation, path, query }: Ask): string {
  return canonicalJson([operation, path, { ...query, page: undefined, limit: undefined }]);
}

/** Throws a 400 for what is no token of this list. `page` means something else where nothing is paged. */
function readToken(ask: Ask): PageToken | null {
  const { page } = ask.query;
  if (typeof page !== 'string' || operationOf(ask.operation).paged !== true) return null;
  const [name, snapshot, from] = parsed(page);
  if (name !== nameOf(ask) || typeof snapshot !== 'number' || !isIndex(from))
    throw invalid('page', 'is not a page token of this list');
  return { snapshot, from };
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function parsed(token: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
