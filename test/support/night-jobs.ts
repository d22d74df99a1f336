import { createKit, type OwnKit } from '../../src/app/kit.ts';
import { jobsOf, type JobParts } from '../../src/app/running/jobs.ts';
import { sync } from '../../src/app/sync.ts';
import { seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { openMemory, type Job } from '../../src/daemon/index.ts';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { environmentOf, type TestFolder } from './cli.ts';

/** What the jobs of a daemon work with, in a folder. */
export function kitIn(folder: TestFolder, platform: EmbeddedPlatform): OwnKit {
  const environment = environmentOf(platform, folder.at('data'));
  const config = loadConfig({ flags: {}, environment, cwd: folder.path, readFile: () => null });
  return createKit({ config, clock: systemClock(), random: seededRandom(1), log: silentLogger() });
}

/** The jobs of a daemon that has just been started there. */
export function jobsIn(
  folder: TestFolder,
  kit: OwnKit,
  walk: JobParts['sync'] = (options) => sync(kit, options),
): readonly Job[] {
  const memory = openMemory(folder.at('daemon.json'), silentLogger());
  return jobsOf({ kit, memory, sync: walk, demandPlace: () => undefined });
}
