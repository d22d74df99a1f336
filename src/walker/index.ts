/** Visits every kind once, writes one incremental snapshot, resumes from its frontier. */
export { forecastWalk, UNKNOWN_FORECAST, type Forecast } from './forecast.ts';
export { otherPlatform, walk } from './walk.ts';
export type { WalkOptions, WalkProgress, WalkResult, WalkScope, WalkSettings } from './types.ts';
