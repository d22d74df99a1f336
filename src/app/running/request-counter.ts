// Counts what is asked of a platform, for the metrics of the daemon.
import type { RuntimeState, RequestCount } from '../../status/index.ts';
import type { RequestWatch } from '../kit.ts';

export interface RequestCounter {
  readonly watch: RequestWatch;
  state(): Required<Pick<RuntimeState, 'requests' | 'rate'>>;
}

/** Passes everything on to `also`. */
export function createRequestCounter(also: RequestWatch | undefined): RequestCounter {
  const counts = new Map<string, RequestCount>();
  let rate: Required<RuntimeState>['rate'] = null;
  return {
    watch: {
      begun: (baseUrl) => also?.begun(baseUrl),
      waits: (wait) => also?.waits(wait),
      ended: (request) => {
        also?.ended(request);
        const { operation } = request;
        const status = request.status === null ? 'none' : String(request.status);
        const key = `${operation} ${status}`;
        counts.set(key, { operation, status, n: (counts.get(key)?.n ?? 0) + 1 });
        rate = request.rate ?? rate;
      },
    },
    state: () => ({ requests: [...counts.values()], rate }),
  };
}
