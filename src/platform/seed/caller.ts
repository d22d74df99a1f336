// Calls of the platform's own API, typed by the contract. The client room is for programs that meet a platform from outside.
import { Agent, request } from 'undici';
import { AppError, isRecord, readableJson } from '../../base/index.ts';
import {
  operationOf,
  pathParameters,
  type AnswerOf,
  type AnyOperationName,
  type BodyOf,
  type PathOf,
} from '../../contract/index.ts';

export interface CallOptions<N extends AnyOperationName> {
  path: PathOf<N>;
  query?: Record<string, string>;
  body?: BodyOf<N>;
  /** Who calls; the owner of the seed when absent. */
  token?: string;
}

/** Keeps its connections until disposed. */
export interface ApiCaller extends AsyncDisposable {
  /** The answer's body. Throws DM_HTTP_STATUS for everything but success: a seed has nothing to fall back on. */
  call<N extends AnyOperationName>(name: N, options: CallOptions<N>): Promise<AnswerOf<N>>;
}

/** A caller of the platform at `url`, with `token` unless a call brings another. */
export function createCaller(target: { url: string; token: string; signal?: AbortSignal }): ApiCaller {
  const dispatcher = new Agent({ pipelining: 1 });
  return {
    async call(name, options) {
      const { method, success } = operationOf(name);
      const answer = await request(addressOf(name, target.url, options), {
        dispatcher,
        method,
        headers: { authorization: `Bearer ${options.token ?? target.token}`, 'content-type': 'application/json' },
        body: options.body === undefined ? null : JSON.stringify(options.body),
        signal: target.signal ?? null,
      });
      const text = await answer.body.text();
      if (!success.includes(answer.statusCode)) throw failed(name, answer.statusCode, text);
      // The platform checks its own answers against the contract.
      return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<typeof name>;
    },
    [Symbol.asyncDispose]: () => dispatcher.close(),
  };
}

function addressOf<N extends AnyOperationName>(name: N, base: string, { path, query }: CallOptions<N>): string {
  const values: Readonly<Record<string, string>> = path;
  let target = operationOf(name).path;
  for (const parameter of pathParameters(target)) {
    target = target.replace(`{${parameter}}`, encodeURIComponent(values[parameter] ?? ''));
  }
  const search = new URLSearchParams(query).toString();
  return `${base}${target}${search === '' ? '' : `?${search}`}`;
}

function failed(operation: AnyOperationName, status: number, text: string): AppError {
  return new AppError('DM_HTTP_STATUS', `The seed's ${operation} was answered with ${status}: ${messageOf(text)}`, {
    hint: 'This is a fault in the embedded platform or its seed; report it.',
    details: { operation, status },
  });
}

function messageOf(text: string): string {
  const answer = readableJson(text);
  if (answer === undefined) return 'not JSON';
  return isRecord(answer['error']) ? String(answer['error']['message']) : 'no message';
}
