// Counts what went over the wire.

export interface OperationCount {
  requests: number;
  /** Bytes of bodies received. */
  bytes: number;
}

/** Running totals since the client was made. */
export class Meter {
  requests = 0;
  /** Requests that may change something, those without an answer too: counted before they are sent. */
  writes = 0;
  /** Bytes of bodies received. */
  bytes = 0;
  /** Requests that were sent again, those after a 429 included. */
  retries = 0;
  /** Milliseconds in which requests were held back while some waited, and waits before a retry. */
  waitedMs = 0;
  /** Milliseconds from sending to the end of the answer, summed over all requests; some may have been under way together. */
  exchangedMs = 0;
  /** Answers with status 429. */
  rateLimited = 0;
  /** By name of the operation; file downloads under `download`. */
  readonly byOperation = new Map<string, OperationCount>();

  ended(operation: string, { bytes, ms }: { readonly bytes: number; readonly ms: number }): void {
    this.requests++;
    this.exchangedMs += ms;
    this.bytes += bytes;
    const count = this.byOperation.get(operation);
    if (count) {
      count.requests++;
      count.bytes += bytes;
    } else {
      this.byOperation.set(operation, { requests: 1, bytes });
    }
  }

  waited(ms: number): void {
    this.waitedMs += Math.max(0, ms);
  }
}
