import { Refusal } from './refusal.ts';

/** An answer as data; `text` is null where there is no body. */
export interface Answer {
  readonly status: number;
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const text = JSON.stringify(body);
  // Given here, so that it is counted once for an answer that is sent many times.
  const length = String(Buffer.byteLength(text));
  return { status, text, headers: { 'content-type': JSON_TYPE, 'content-length': length, ...headers } };
}

/** The error body of the platform: `{"error":{"code":<status>,"message":"…"}}`. */
export function refusalAnswer({ status, message }: Refusal, headers: Readonly<Record<string, string>> = {}): Answer {
  const asked = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return jsonAnswer(status, { error: { code: status, message } }, { ...asked, ...headers });
}

/** The method whose answer is asked for: HEAD is GET without the body. */
export function answeredMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** What a request of this method gets of an answer. */
export function answerTo(method: string, answer: Answer): Answer {
  return method === 'HEAD' ? { ...answer, text: null } : answer;
}

/** 404 for a path that is not there, 405 for one that does not know the method. */
export function unknownRoute(method: string, path: string, allowed: readonly string[]): Answer {
  if (allowed.length === 0) return refusalAnswer(new Refusal(404, `There is no ${path}`));
  const list = allowed.join(', ');
  const are = allowed.length === 1 ? 'is' : 'are';
  return refusalAnswer(new Refusal(405, `${method} is not possible here; ${list} ${are}`), { allow: list });
}

/** The answer on its way out, with headers that every answer carries. Plain headers and text take the server's short path. */
export function toResponse(answer: Answer, common: Readonly<Record<string, string>>): Response {
  return new Response(answer.text, { status: answer.status, headers: { ...answer.headers, ...common } });
}
