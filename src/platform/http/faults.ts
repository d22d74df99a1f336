import type { Context, MiddlewareHandler } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { isRecord, type Clock } from '../../base/index.ts';
import type { FaultInjector } from './fault-injector.ts';
import type { FaultRule, NamedEffect } from './fault-plan.ts';

type StatusEffect = Extract<FaultRule['effect'], { status: number }>;
type Reached = Context<{ Bindings: HttpBindings }>;

export interface FaultMiddlewareOptions {
  faults: FaultInjector;
  clock: Clock;
  /** The name under which rules know the request. */
  operationOf: (c: Context) => string | null;
}

/** Lets the fault injector spoil requests and answers on their way. */
export function faultMiddleware(options: FaultMiddlewareOptions): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const { delayMs, effect } = options.faults.meet(options.operationOf(c), pathname + search);
    if (delayMs > 0) await options.clock.sleep(delayMs);
    if (effect === null) return next();
    if (typeof effect === 'object') return statusResponse(effect);
    if (effect === 'cut-before') return cut(c);
    if (effect === 'html') return htmlResponse();
    if (effect === 'expired-download' && c.req.path.startsWith('/files/')) return expiredResponse();
    await next();
    if (effect === 'cut-after') c.res = cut(c);
    else if (effect === 'truncate') c.res = await truncate(c);
    else c.res = await rewritten(c.res, effect, c.req.query('page'));
    return undefined;
  };
}

function statusResponse(effect: StatusEffect): Response {
  const { status, headers, body } = effect;
  const isText = typeof body === 'string';
  const standard = { error: { code: status, message: `Injected fault ${status}` } };
  const text = isText ? body : JSON.stringify(body ?? standard);
  const type = isText ? 'text/plain' : 'application/json';
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : text, { status, headers: { 'content-type': type, ...headers } });
}

function htmlResponse(): Response {
  return new Response('<!doctype html><title>Sign in</title><h1>Sign in to continue</h1>', {
    status: 200,
    headers: { 'content-type': 'text/html' },
  });
}

function expiredResponse(): Response {
  return new Response('This download address is wrong or has expired', { status: 403 });
}

function cut(c: Reached): Response {
  c.env.outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Announces the whole length, sends half of it, and ends the connection. */
async function truncate(c: Reached): Promise<Response> {
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  const headers = new Headers(c.res.headers);
  headers.set('content-length', String(bytes.byteLength));
  const { outgoing } = c.env;
  let sent = false;
  const half = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent) {
        outgoing.destroy();
        controller.close();
      } else controller.enqueue(bytes.subarray(0, bytes.byteLength >> 1));
      sent = true;
    },
  });
  return new Response(half, { status: c.res.status, headers });
}

async function rewritten(response: Response, effect: NamedEffect, token: string | undefined): Promise<Response> {
  if (!response.headers.get('content-type')?.includes('json')) return response;
  const text = await response.text();
  const body: unknown = JSON.parse(text);
  const headers = new Headers(response.headers);
  const changed = JSON.stringify(spoil(body, effect, token));
  return new Response(changed, { status: response.status, headers });
}

function spoil(body: unknown, effect: NamedEffect, token: string | undefined): unknown {
  if (effect === 'expired-download') {
    return JSON.parse(JSON.stringify(body).replaceAll(/([?&]expires=)\d+/g, '$11')) as unknown;
  }
  if (!isRecord(body) || !Array.isArray(body['items'])) return body;
  const items: unknown[] = body['items'];
  const { next: _, ...rest } = body;
  if (effect === 'empty-list') return { ...rest, count: 0, items: [] };
  if (effect === 'short-list') return { ...rest, items: items.slice(0, items.length >> 1) };
  if (effect === 'repeat-token' && token !== undefined) return { ...body, next: { page: token } };
  return body;
}
