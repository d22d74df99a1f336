import { Refusal } from '../refusal.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The error body of the platform: `{"error":{"code":<status>,"message":"…"}}`. */
export function refusalResponse(refusal: Refusal, headers: Record<string, string> = {}): Response {
  const body = { error: { code: refusal.status, message: refusal.message } };
  return jsonResponse(refusal.status, body, headers);
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': JSON_TYPE, ...headers } });
}

/** 404 for a path that is not there, 405 for one that does not know the method. */
export function unknownRoute(method: string, path: string, allowed: string[]): Response {
  if (allowed.length === 0) return refusalResponse(new Refusal(404, `There is no ${path}`));
  const list = allowed.join(', ');
  return refusalResponse(new Refusal(405, `${method} is not possible here; ${list} is`), { allow: list });
}
