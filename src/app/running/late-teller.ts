// Has people told of a platform whose daemon cannot begin. What was told before lies in its data directory, which is what is missing.
import { isoTime, type AppError } from '../../base/index.ts';
import { createAgent } from '../../client/index.ts';
import { createMessenger, type Message } from '../../daemon/index.ts';
import type { Kit } from '../kit.ts';
import { namedIn, nameOf } from './tell.ts';

export interface LateTeller extends AsyncDisposable {
  /** Tells why it cannot begin: once, and again after `notify.remindAfter`. What nobody took is tried again at the next call. */
  tell(error: AppError): Promise<void>;
  /** Tells those who were told that it has begun. */
  over(): Promise<void>;
}

export function createLateTeller({ config, clock, random, log }: Kit, signal: AbortSignal): LateTeller {
  const dispatcher = createAgent(config.proxies);
  const channels = (): typeof config.notify => config.notify;
  const messenger = createMessenger({ channels, name: nameOf(config), clock, random, log, signal, dispatcher });
  const since = isoTime(clock.now());
  let told: { readonly at: number; readonly message: Message } | null = null;
  return {
    tell: async (error) => {
      // A clock that is set back moves the next reminder away by nothing.
      if (told !== null && clock.monotonic() - told.at < config.notify.remindAfterMs) return;
      const message = namedIn(config, messageOf(error, since, told !== null));
      if (await messenger.send(message)) told = { at: clock.monotonic(), message };
    },
    over: async () => {
      if (told === null) return;
      const means = 'Its schedule is kept from now on; what was missed is caught up.';
      await messenger.send({
        ...told.message,
        event: 'recovered',
        what: 'The daemon has begun',
        means,
        reminder: false,
      });
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

function messageOf({ code, message, hint }: AppError, since: string, reminder: boolean): Message {
  return {
    event: 'failed',
    cause: `failed start ${code}`,
    what: `The daemon cannot begin (${code}): ${message}`,
    means: `Nothing is mirrored until that is mended; it is tried again each minute. ${hint}`,
    run: 'docmirror doctor',
    since,
    reminder,
  };
}
