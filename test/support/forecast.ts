import { forecastWalk, type Forecast } from '../../src/walker/index.ts';
import { SETTINGS, type SyncOptions, type TestWorld } from './world.ts';

const SCOPE = { organizations: null, onlySpaces: null, extraSpaces: [] };

/** What the next walk of a world is said to take, at any speed. */
export function forecast(
  { mirror, clock, platform }: TestWorld,
  { settings, mode = 'incremental', scope = SCOPE }: SyncOptions = {},
): Forecast {
  const all = { ...SETTINGS, ...settings };
  return forecastWalk({ mirror, clock, origin: platform.url, mode, scope, settings: all, mostPerSecond: null });
}
