import type { Config } from '../../config/index.ts';

/** Whether anybody at all is to be told. */
export function tellsSomebody({ notify: { ping, webhook, mail } }: Config): boolean {
  return [ping.start, ping.success, ping.failure, webhook, mail].some((channel) => channel !== null);
}
