// The program over a platform in this process, without its command line.
import { createApp, type App } from '../../src/app.ts';
import { seededRandom, silentLogger, systemClock, type Clock } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { environmentOf, type TestFolder } from './cli.ts';

interface Served {
  readonly url: string;
  readonly token: string;
}

export interface AppParts {
  readonly platform: Served;
  /** Where restores go. */
  readonly target?: Served;
  readonly clock?: Clock;
  /** The configuration file. */
  readonly yaml?: string;
}

/** Its data lies in the folder. */
export function appIn(folder: TestFolder, { platform, target, clock = systemClock(), yaml }: AppParts): App {
  const environment = {
    ...environmentOf(platform, folder.at('data')),
    ...(target === undefined ? {} : { DOCMIRROR_TARGET_TOKEN: target.token }),
  };
  const flags = target === undefined ? {} : { targetUrl: target.url };
  const config = loadConfig({ flags, environment, cwd: folder.path, readFile: () => yaml ?? null });
  return createApp(config, { clock, random: seededRandom(3), log: silentLogger() });
}
