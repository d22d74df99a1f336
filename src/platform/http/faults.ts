import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Clock } from '../../base/index.ts';
import { slowly, truncated } from './fault-bodies.ts';
import type { Effect, FaultInjector } from './fault-injector.ts';
import { spoil } from './spoil.ts';

type Outgoing = HttpBindings['outgoing'];
type StatusEffect = Extract<Effect, { status: number }>;
type CommonHeaders = Readonly<Record<string, string>>;

/** A request as far as faults go. */
export interface MetRequest {
  /** The name under which rules know it. */
  operation: string | null;
  /** Path and query. */
  target: string;
  outgoing: Outgoing;
  /** Of answers that are made here; a rule's own go before them. */
  headers: Readonly<Record<string, string>>;
}

/** Lets the fault injector spoil a request and its answer on their way. */
export async function meetFaults(
  parts: { faults: FaultInjector; clock: Clock },
  met: MetRequest,
  proceed: () => Response | Promise<Response>,
): Promise<Response> {
  const { delayMs, skewMs, effect } = parts.faults.meet(met.operation, met.target);
  if (delayMs > 0) await parts.clock.sleep(delayMs);
  const response = effect === null ? await proceed() : await suffer(parts.clock, { met, effect }, proceed);
  return skewMs === 0 ? response : skewed(response, skewMs);
}

async function suffer(
  clock: Clock,
  { met, effect }: { met: MetRequest; effect: Effect },
  proceed: () => Response | Promise<Response>,
): Promise<Response> {
  const { outgoing, headers, target } = met;
  if (typeof effect === 'object' && 'status' in effect) return statusResponse(effect, headers);
  if (effect === 'cut-before') return cut(outgoing);
  if (effect === 'html') return htmlResponse(headers);
  if (effect === 'expired-download' && target.startsWith('/files/')) return expiredResponse();
  const response = await proceed();
  if (effect === 'cut-after') return cut(outgoing);
  if (effect === 'truncate') return truncated(response, outgoing);
  if (typeof effect === 'object' && 'bytesPerSecond' in effect) return slowly(response, clock, effect.bytesPerSecond);
  return spoil(response, { effect, operation: met.operation, target });
}

function statusResponse(effect: StatusEffect, common: CommonHeaders): Response {
  const { status, headers = {}, body } = effect;
  const isText = typeof body === 'string';
  const standard = { error: { code: status, message: `Injected fault ${status}` } };
  const text = isText ? body : JSON.stringify(body ?? standard);
  const type = isText ? 'text/plain' : 'application/json';
  const own = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : text, {
    status,
    headers: { 'content-type': type, ...common, ...Object.fromEntries(own) },
  });
}

function htmlResponse(common: CommonHeaders): Response {
  return new Response('<!doctype html><title>Sign in</title><h1>Sign in to continue</h1>', {
    status: 200,
    headers: { ...common, 'content-type': 'text/html' },
  });
}

function expiredResponse(): Response {
  return new Response('This download address is wrong or has expired', { status: 403 });
}

function cut(outgoing: Outgoing): Response {
  outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}

function skewed(response: Response, skewMs: number): Response {
  if (response === RESPONSE_ALREADY_SENT) return response;
  const headers = new Headers(response.headers);
  const date = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(date)) headers.set('date', new Date(date + skewMs).toUTCString());
  const reset = headers.get('x-ratelimit-reset');
  if (reset !== null) headers.set('x-ratelimit-reset', String(Number(reset) + Math.round(skewMs / 1000)));
  return new Response(response.body, { status: response.status, headers });
}
