import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { HttpBindings } from '@hono/node-server';
import { operationOf, type AnyOperationName } from '../../contract/index.ts';
import { isRecord } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { userOfToken } from '../store/people.ts';
import type { FaultInjector } from './fault-injector.ts';
import { faultMiddleware } from './faults.ts';
import { jsonResponse, refusalResponse, unknownRoute } from './errors.ts';
import { createMatcher, type OperationMatch } from './match-operation.ts';
import type { RateLimit } from './rate.ts';
import type { RequestLog } from './request-log.ts';
import { runOperation, type OutgoingAnswer } from './run-operation.ts';
import { createSchemaChecks, type SchemaChecks } from './validator.ts';

export interface ApiParts {
  context: PlatformContext;
  rate: RateLimit;
  requests: RequestLog;
  faults: FaultInjector;
  /** Checks every own answer against the contract; one that does not hold is a 500. */
  checkAnswers: boolean;
}

export interface Env {
  Bindings: HttpBindings;
  Variables: { match: OperationMatch | null };
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The API: every request is matched, counted, limited, authenticated, validated and answered by the contract. */
export function apiApp(parts: ApiParts): Hono<Env> {
  const app = new Hono<Env>();
  const matcher = createMatcher();
  const checks = createSchemaChecks();
  app.use(async (c, next) => {
    const state = parts.rate.take();
    c.set('match', matcher.match(c.req.method, c.req.path));
    if (state.allowed) await next();
    else c.res = refusalResponse(new Refusal(429, 'Too many requests; wait until X-RateLimit-Reset'));
    for (const [name, value] of Object.entries(state.headers)) c.res.headers.set(name, value);
    record(parts.requests, c);
  });
  app.use(faultMiddleware({ faults: parts.faults, clock: parts.context.clock, operationOf: matchedName }));
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => refusalResponse(tooLarge()) }));
  app.all('*', async (c) => {
    const { match } = c.var;
    if (!match) return unknownRoute(c.req.method, c.req.path, matcher.methods(c.req.path));
    return respond(match.name, c.req.url, await answer(parts, checks, { c, match }));
  });
  app.onError((error, c) => answerError(parts, c.var.match?.name, error));
  return app;
}

async function answer(
  parts: ApiParts,
  checks: SchemaChecks,
  request: { c: Context<Env>; match: OperationMatch },
): Promise<OutgoingAnswer> {
  const { c, match } = request;
  const user = authenticate(parts.context, c.req.header('authorization'));
  const found = await runOperation(parts.context, checks, {
    ...match,
    search: new URL(c.req.url).searchParams,
    text: operationOf(match.name).body ? await c.req.text() : '',
    user,
  });
  if (parts.checkAnswers) checkAnswer(checks, match.name, found.body);
  return found;
}

function authenticate(context: PlatformContext, header: string | undefined): string {
  const token = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  const user = token === undefined ? undefined : userOfToken(context, token);
  if (!user) throw new Refusal(401, 'A valid access token is needed: Authorization: Bearer <token>');
  return user.id;
}

function respond(name: AnyOperationName, url: string, answered: OutgoingAnswer): Response {
  const { status, body } = answered;
  if (operationOf(name).response === undefined) return new Response(null, { status });
  return jsonResponse(status, body, status === 201 ? { location: locationOf(body) ?? url } : {});
}

function locationOf(body: unknown): string | undefined {
  const urls = isRecord(body) ? body['urls'] : undefined;
  const location = isRecord(urls) ? urls['location'] : undefined;
  return typeof location === 'string' ? location : undefined;
}

function checkAnswer(checks: SchemaChecks, name: AnyOperationName, body: unknown): void {
  const { response } = operationOf(name);
  const problem = response ? checks.problem(response, body) : null;
  if (problem !== null) throw new Error(`the answer of ${name} breaks the contract: ${problem}`);
}

function answerError(parts: ApiParts, operation: AnyOperationName | undefined, error: unknown): Response {
  if (error instanceof Refusal) return refusalResponse(error);
  parts.context.log.error({ err: error, operation }, 'platform request failed');
  const message = parts.checkAnswers && error instanceof Error ? error.message : 'The platform failed';
  return refusalResponse(new Refusal(500, message));
}

function tooLarge(): Refusal {
  return new Refusal(413, `The body is larger than ${MAX_BODY_BYTES} bytes`);
}

function record(requests: RequestLog, c: Context<Env>): void {
  const { pathname, search } = new URL(c.req.url);
  requests.add({
    operation: c.var.match?.name ?? null,
    method: c.req.method,
    target: pathname + search,
    status: c.env.outgoing.destroyed ? 0 : c.res.status,
  });
}

function matchedName(c: Context<Env>): AnyOperationName | null {
  return c.var.match?.name ?? null;
}
