// A reader of the status site, without a server between.
import { manualClock, silentLogger } from '../../src/base/index.ts';
import { noRuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';

export interface Visited {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Asks the site over a mirror for one path after the other. */
export function visitor({ dataDir }: { readonly dataDir: string }) {
  const options = { dataDir, clock: manualClock(0), log: silentLogger(), live: () => noRuntimeState };
  const app = createStatusApp({ ...options, freshness: { snapshotMs: 1, drillMs: 1 } });
  return async (path: string, init?: RequestInit): Promise<Visited> => {
    const answer = await app.request(path, init);
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
}
