import { Hono } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import {
  type AnyOperationName,
  answerTo,
  Refusal,
  refusalAnswer,
  toResponse,
  unknownRoute,
  type Answer,
  createMatcher,
} from '../../contract/index.ts';
import { describeApp } from '../describe/describe-app.ts';
import { createAnswerMemory, remembering, type RememberingParts } from './answer-memory.ts';
import { createAnswerer, type AnswererParts } from './answer-request.ts';
import { controlApp, type ControlParts } from './control-app.ts';
import { meetFaults } from './faults.ts';
import type { RateLimit } from './rate.ts';
import { arrive, type Visit } from './visit.ts';

export interface ApiParts extends AnswererParts, RememberingParts, ControlParts {
  rate: RateLimit;
}

interface Env {
  Bindings: HttpBindings;
}

/** What an HTTP server asks for answers. */
export interface Fetching {
  fetch(request: Request, bindings: HttpBindings): Response | Promise<Response>;
}

const API = '/v1/';

/**
 * The API: every request is counted, limited, matched, authenticated, validated and answered by the contract. All of it happens in
 * the turn of the event loop in which the request arrived, unless there is something to wait for. What is not below `/v1` is
 * neither limited nor counted, and knows no faults, unless there is no such thing at all.
 */
export function apiApp(parts: ApiParts): Fetching {
  const receive = createDesk(parts);
  const beside = new Hono<Env>();
  beside.route('/', describeApp(parts.context));
  beside.route('/_platform', controlApp(parts));
  beside.all('*', (c) => receive(c.env));
  return {
    fetch: (request, bindings) =>
      bindings.incoming.url?.startsWith(API) ? receive(bindings) : beside.fetch(request, bindings),
  };
}

function createDesk(parts: ApiParts): (bindings: HttpBindings) => Response | Promise<Response> {
  const matcher = createMatcher();
  const memory = createAnswerMemory(parts.changes);
  const answerOf = remembering(parts, memory, createAnswerer(parts));
  return (bindings) => {
    const visit = arrive(bindings, parts.rate.take());
    const isPlain = visit.rate.allowed && parts.faults.isIdle();
    const remembered = isPlain ? memory.get(visit) : undefined;
    if (remembered) return leave(parts, visit, remembered);
    const { method, path } = visit;
    const match = matcher.match(method, path);
    const operation = match?.name ?? null;
    if (!visit.rate.allowed) return leave(parts, visit, { operation, answer: tooMany() });
    const proceed = (): Answer | Promise<Answer> =>
      match ? answerOf({ visit, match }) : unknownRoute(method, path, matcher.methods(path));
    if (!isPlain) return leaveThroughFaults(parts, visit, { operation, proceed });
    const answer = proceed();
    if (answer instanceof Promise) return answer.then((late) => leave(parts, visit, { operation, answer: late }));
    return leave(parts, visit, { operation, answer });
  };
}

interface Outcome {
  operation: AnyOperationName | null;
  answer: Answer;
}

function leave(parts: ApiParts, visit: Visit, { operation, answer }: Outcome): Response {
  record(parts, visit, { operation, status: answer.status });
  return toResponse(answerTo(visit.asked, answer), visit.rate.headers);
}

async function leaveThroughFaults(
  parts: ApiParts,
  visit: Visit,
  { operation, proceed }: { operation: AnyOperationName | null; proceed: () => Answer | Promise<Answer> },
): Promise<Response> {
  const { target, bindings, rate } = visit;
  const met = { operation, target, outgoing: bindings.outgoing, headers: rate.headers };
  const response = await meetFaults({ faults: parts.faults, clock: parts.context.clock }, met, async () =>
    toResponse(answerTo(visit.asked, await proceed()), rate.headers),
  );
  record(parts, visit, { operation, status: response.status });
  return response;
}

function record(
  parts: ApiParts,
  { asked: method, target, bindings }: Visit,
  { operation, status }: { operation: AnyOperationName | null; status: number },
): void {
  parts.requests.add({ operation, method, target, status: bindings.outgoing.destroyed ? 0 : status });
}

function tooMany(): Answer {
  return refusalAnswer(new Refusal(429, 'Too many requests; wait until X-RateLimit-Reset'));
}
