// A client that loses every write once before it is sent, and once after it was processed.
import { ApiError, type ApiClient } from '../../src/client/index.ts';
import { operationOf, type AnyOperationName } from '../../src/contract/index.ts';

/** `lost`: the connection breaks, and the apply goes on with what it can. `killed`: the process ends, and the journal with it. */
export type Cut = 'lost' | 'killed';

export interface CuttingClient {
  readonly client: ApiClient;
  /** Writes that were cut before they were sent, and those that were cut after they were processed, by operation. */
  readonly before: Set<string>;
  readonly after: Set<string>;
}

/** Each write, told by its operation, path and body, fails twice: unsent at first, processed then; from then on it goes through. */
export function cutting(client: ApiClient, cut: Cut): CuttingClient {
  const before = new Set<string>();
  const after = new Set<string>();
  const tries = new Map<string, number>();
  const call: Call = async (name, input, options) => {
    const perform = (): Promise<unknown> => client.callRaw(name, input as never, options as never);
    if (operationOf(name).method === 'GET') return perform();
    // The address of an import is another each time.
    const write = JSON.stringify([name, input]).replaceAll(/"url":"[^"]*"/g, '');
    const nth = (tries.get(write) ?? 0) + 1;
    tries.set(write, nth);
    if (nth > 2) return perform();
    if (nth === 2) await perform();
    (nth === 1 ? before : after).add(name);
    throw cut === 'killed' ? killed() : lost(name, nth === 2);
  };
  return { client: through(client, call), before, after };
}

/** A fault at one write: at which, from 0, of all or of those of one operation, and whether the platform has processed that. */
export interface Fault {
  readonly cut: Cut;
  readonly of?: AnyOperationName;
  readonly nth: number;
  readonly sent: boolean;
}

/** A client that is cut off once. A process that was killed asks for nothing afterwards either. */
export function cutOnce(client: ApiClient, { cut, of, nth, sent }: Fault): ApiClient {
  let writes = 0;
  let isDead = false;
  return through(client, async (name, input, options) => {
    const perform = (): Promise<unknown> => client.callRaw(name, input as never, options as never);
    if (isDead) throw killed();
    const isMeant = operationOf(name).method !== 'GET' && (of === undefined || of === name);
    if (!isMeant || writes++ !== nth) return perform();
    isDead = cut === 'killed';
    if (sent) await perform();
    throw isDead ? killed() : lost(name, sent);
  });
}

function killed(): DOMException {
  return new DOMException('killed', 'AbortError');
}

type Call = (name: AnyOperationName, input: unknown, options: unknown) => Promise<unknown>;

function through(client: ApiClient, call: Call): ApiClient {
  const methods: Readonly<Record<string, unknown>> = { call, callRaw: call };
  return new Proxy(client, {
    get: (target, name) => {
      const own = typeof name === 'string' ? methods[name] : undefined;
      const value: unknown = own ?? Reflect.get(target, name, target);
      if (typeof value !== 'function' || own !== undefined) return value;
      const bound: unknown = value.bind(target);
      return bound;
    },
  });
}

function lost(operation: string, sent: boolean): ApiError {
  const facts = { status: null, operation, method: 'POST', target: '/', attempts: 1, retryable: false, sent };
  return new ApiError('DM_UNREACHABLE', { what: 'lost the connection', hint: 'Try again.' }, facts);
}
