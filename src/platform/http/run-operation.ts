import { operationOf, type AnyOperationName, readQuery } from '../../contract/index.ts';
import { authorize } from '../access/authorize.ts';
import type { PlatformContext } from '../context.ts';
import { handlers, longHandlers } from '../handlers/index.ts';
import { Created } from '../handlers/types.ts';
import { purgeSpaces } from '../store/spaces.ts';
import { readBody } from './read-request.ts';

/** A request before anything of it was believed. */
export interface IncomingRequest {
  name: AnyOperationName;
  path: Readonly<Record<string, string>>;
  /** What stands behind the question mark. */
  search: string;
  text: string;
  user: string;
}

export interface OutgoingAnswer {
  status: number;
  body: unknown;
}

// The tables are typed by operation; here the name is data, so their entries are called through their common shape.
type AnyHandler = (context: PlatformContext, request: object) => unknown;
type AnyTable = Readonly<Partial<Record<AnyOperationName, AnyHandler>>>;

/**
 * Authorizes, validates and runs one request; a write is one transaction. Throws a Refusal for what is refused. Only operations
 * that wait for something outside answer later; all others have finished when this returns.
 */
export function runOperation(
  context: PlatformContext,
  incoming: IncomingRequest,
): OutgoingAnswer | Promise<OutgoingAnswer> {
  const shape = operationOf(incoming.name);
  const long = (longHandlers as AnyTable)[incoming.name];
  const handler = (handlers as AnyTable)[incoming.name];
  const caller = authorize(context, incoming);
  const request = {
    path: incoming.path,
    query: readQuery(context.checks.schemas, shape, incoming.search),
    body: readBody(context.checks.contents, shape, incoming.text),
    caller,
  };
  const [status] = shape.success;
  if (long) return Promise.resolve(long(context, request)).then((body) => ({ status, body }));
  const work = (): unknown => handler?.(context, request);
  const result = shape.method === 'GET' ? work() : context.db.transaction(() => written(context, work));
  if (result instanceof Created) return { status: result.status, body: result.body as unknown };
  return { status, body: result };
}

/** What is gone for good holds no path and no place against a write. */
function written(context: PlatformContext, work: () => unknown): unknown {
  purgeSpaces(context);
  return work();
}
