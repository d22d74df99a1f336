// Tells a person who waits that the platform keeps the program waiting. Nothing is told while answers come.
import type { Clock } from '../base/index.ts';
import type { RequestWatch } from '../app.ts';
import { span } from './views/units.ts';

/** Disposing ends it; after that nothing is told. */
export interface Patience extends RequestWatch, Disposable {}

export interface PatienceOptions {
  readonly clock: Clock;
  readonly tell: (text: string) => Promise<void>;
}

const LOOK_MS = 1000;
const SILENT_MS = 3000;
const TOLD_EVERY_MS = 10_000;

interface Trouble {
  readonly since: number;
  readonly what: string;
}

export function createPatience({ clock, tell }: PatienceOptions): Patience {
  let address = '';
  let trouble: Trouble | null = null;
  let told = Number.NEGATIVE_INFINITY;
  let over = false;
  const say = (text: string): void => {
    const now = clock.monotonic();
    if (over || now - told < TOLD_EVERY_MS) return;
    told = now;
    void tell(text);
  };
  const timer = clock.every(LOOK_MS, () => {
    const waited = trouble === null ? 0 : clock.monotonic() - trouble.since;
    if (trouble !== null && waited >= SILENT_MS)
      say(`${address} ${trouble.what}; trying for ${span(waited)} now, Ctrl-C ends it`);
  });
  return {
    begun: (baseUrl) => {
      address = baseUrl;
      trouble ??= { since: clock.monotonic(), what: 'has not answered yet' };
    },
    waits: ({ reason, ms }) => {
      if (ms < SILENT_MS || reason === 'retry') return;
      const why = reason === 'rate-limited' ? 'asks to wait' : 'allows no more requests for';
      say(`${address} ${why} ${span(ms)}; waiting`);
    },
    ended: ({ status }) => {
      const what = whatIsWrong(status);
      trouble = what === null ? null : { since: trouble?.since ?? clock.monotonic(), what };
    },
    idle: () => {
      trouble = null;
    },
    [Symbol.dispose]: () => {
      over = true;
      timer[Symbol.dispose]();
    },
  };
}

/** Null for an answer that a request is not repeated after; a 429 is told by the wait that follows it. */
function whatIsWrong(status: number | null): string | null {
  if (status === null) return 'does not answer';
  return status >= 500 ? `answers ${status}` : null;
}
