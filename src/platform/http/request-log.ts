/** One request as it was answered; status 0 means that the connection was cut instead. */
export interface LoggedRequest {
  /** Name in the contract; `download` on the second origin, null where nothing matched. */
  operation: string | null;
  method: string;
  /** Path and query. */
  target: string;
  status: number;
}

/** What the platform was asked lately, and how often each operation was called. */
export interface RequestLog {
  /** The last ones, oldest first. */
  recent(): LoggedRequest[];
  /** Requests by operation since the start or the last `clear`. */
  counts(): Record<string, number>;
  total(): number;
  add(request: LoggedRequest): void;
  clear(): void;
}

const KEPT = 10_000;

/** Keeps the last 10,000 requests and a count for each operation. */
export function createRequestLog(kept: number = KEPT): RequestLog {
  let ring: LoggedRequest[] = [];
  let next = 0;
  let total = 0;
  const counts = new Map<string, number>();
  return {
    recent: () => [...ring.slice(next), ...ring.slice(0, next)],
    counts: () => Object.fromEntries(counts),
    total: () => total,
    add: (request) => {
      ring[next] = request;
      next = (next + 1) % kept;
      total++;
      const name = request.operation ?? 'unknown';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    clear: () => {
      ring = [];
      next = 0;
      total = 0;
      counts.clear();
    },
  };
}
