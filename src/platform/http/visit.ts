import type { HttpBindings } from '@hono/node-server';
import { answeredMethod } from '../../contract/index.ts';
import type { RateState } from './rate.ts';

/** One request from its arrival to its answer. */
export interface Visit {
  readonly bindings: HttpBindings;
  /** As it came. */
  readonly asked: string;
  /** The one whose answer is meant. */
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
  const { method: asked = 'GET', url = '/' } = bindings.incoming;
  const target = url.startsWith('/') ? url : targetOf(url);
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const search = mark < 0 ? '' : target.slice(mark + 1);
  return { bindings, asked, method: answeredMethod(asked), path, search, target, rate };
}

/** Path and query of a request that names the whole address, as clients send it to a proxy. */
function targetOf(url: string): string {
  if (!URL.canParse(url)) return '/';
  const { pathname, search } = new URL(url);
  return pathname + search;
}
