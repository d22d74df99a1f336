// Waits for what comes by requests to servers of this process, as from a command that was begun: asleep meanwhile, since the command
// needs the processor.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';

// Of Node.js: a server of this process has sent an answer.
const ANSWERED = 'http.server.response.finish';

/** Resolves once it is so, as is asked after each answer that a server of this process has sent. */
export function untilServed(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isSo()) return;
      unsubscribe(ANSWERED, look);
      resolve();
    };
    subscribe(ANSWERED, look);
    look();
  });
}

/** Resolves once a platform has answered so many requests for pages since its log was cleared. */
export function untilPagesServed({ requestLog }: Pick<EmbeddedPlatform, 'requestLog'>, pages: number): Promise<void> {
  return untilServed(() => (requestLog.counts()['getPage'] ?? 0) >= pages);
}
