import type { HttpBindings } from '@hono/node-server';
import type { RateState } from './rate.ts';

/** One request from its arrival to its answer. */
export interface Visit {
  readonly bindings: HttpBindings;
  readonly method: string;
  readonly path: string;
  /** What stands behind the question mark. */
  readonly search: string;
  /** Path and query. */
  readonly target: string;
  readonly rate: RateState;
}

/** Reads the request line; headers and body stay where they are. */
export function arrive(bindings: HttpBindings, rate: RateState): Visit {
  const { method = 'GET', url = '/' } = bindings.incoming;
  const target = url.startsWith('/') ? url : targetOf(url);
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return { bindings, method, path, search: mark < 0 ? '' : target.slice(mark + 1), target, rate };
}

/** Path and query of a request that names the whole address, as clients send it to a proxy. */
function targetOf(url: string): string {
  if (!URL.canParse(url)) return '/';
  const { pathname, search } = new URL(url);
  return pathname + search;
}
