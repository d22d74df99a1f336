/** Whether what is kept is whole, and true to the platform. */
export { mendPaths } from './resource-paths.ts';
export { mendDefinitions } from './definitions.ts';
export { mendSearch } from './search-index.ts';
export { spotCheck, type SpotCheck } from './spot-check.ts';
export type { ListLive, LiveAnswer, LivePlatform, ReadLive } from './live-types.ts';
export { damagedBodyAt } from './damaged-body.ts';
export { shownIn } from './holders.ts';
export {
  checkMirror,
  type CheckProblem,
  type CheckResult,
  type CheckProgress as MirrorCheckProgress,
  type CheckOptions as MirrorCheckOptions,
} from './check.ts';
