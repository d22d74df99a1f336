import { isRecord } from '../../base/index.ts';
import {
  operationOf,
  type AnyOperationName,
  Refusal,
  jsonAnswer,
  refusalAnswer,
  type Answer,
  type OperationMatch,
} from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { authenticate } from './authenticate.ts';
import { readText } from './read-request.ts';
import { runOperation, type OutgoingAnswer } from './run-operation.ts';
import type { Visit } from './visit.ts';

/** A request for an operation of the contract. */
export interface MatchedRequest {
  visit: Visit;
  match: OperationMatch;
}

export interface AnswererParts {
  context: PlatformContext;
  /** Checks every own answer against the contract; one that does not hold is a 500. */
  checkAnswers: boolean;
}

/** Answers what comes, whatever happens; at once, unless there is a body to read or something outside to wait for. */
export type Answerer = (request: MatchedRequest) => Answer | Promise<Answer>;

export function createAnswerer(parts: AnswererParts): Answerer {
  return (request) => {
    const failed = (error: unknown): Answer => answerError(parts, request.match.name, error);
    try {
      const answer = authenticated(parts, request);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };
}

function authenticated(parts: AnswererParts, { visit, match }: MatchedRequest): Answer | Promise<Answer> {
  const { path, search, bindings } = visit;
  const { incoming } = bindings;
  const user = authenticate(parts.context, incoming.headers.authorization).id;
  const run = (text: string): Answer | Promise<Answer> => {
    const found = runOperation(parts.context, { name: match.name, path: match.path, search, text, user });
    const show = (outgoing: OutgoingAnswer): Answer => checkedAnswer(parts, { name: match.name, path, outgoing });
    return found instanceof Promise ? found.then(show) : show(found);
  };
  return operationOf(match.name).body ? readText(incoming).then(run) : run('');
}

function checkedAnswer(
  parts: AnswererParts,
  { name, path, outgoing }: { name: AnyOperationName; path: string; outgoing: OutgoingAnswer },
): Answer {
  const { status, body } = outgoing;
  const { response } = operationOf(name);
  const problem = parts.checkAnswers && response ? parts.context.checks.contents.problem(response, body) : null;
  if (problem !== null) throw new Error(`the answer of ${name} breaks the contract: ${problem}`);
  if (response === undefined) return { status, text: null, headers: status === 205 ? { 'content-length': '0' } : {} };
  if (status !== 201) return jsonAnswer(status, body);
  return jsonAnswer(status, body, { location: locationOf(body, `${parts.context.url}${path}`) });
}

/** Where what was made is found; `url` is where it was asked for. */
function locationOf(body: unknown, url: string): string {
  const { urls, id } = isRecord(body) ? body : {};
  if (isRecord(urls) && typeof urls['location'] === 'string') return urls['location'];
  // An import has no address of its own; what it made is the content around it.
  if (typeof id !== 'string') return url.slice(0, url.lastIndexOf('/'));
  const parts = url.split('/');
  const named = parts.indexOf(id);
  return named < 0 ? `${url}/${id}` : parts.slice(0, named + 1).join('/');
}

function answerError(parts: AnswererParts, operation: AnyOperationName, error: unknown): Answer {
  if (error instanceof Refusal) return refusalAnswer(error);
  // An import that was still reading its source when the platform ended fails for nothing else, and has nobody to be told.
  const isEnded = !parts.context.db.driver.open;
  if (!isEnded) parts.context.log.error({ err: error, operation }, 'platform request failed');
  const message = parts.checkAnswers && error instanceof Error ? error.message : 'The platform failed';
  return refusalAnswer(new Refusal(500, message));
}
