/** The embedded implementation of the platform: an HTTP server with its own database, faults on demand, and seeds. */
export { createPlatformChecks, type PlatformChecks } from './checks.ts';
export { startPlatform, type EmbeddedPlatform, type PlatformOptions } from './start-platform.ts';
export type { NewPerson, PlatformPeople } from './people.ts';
export type { GrantPrincipal, GrantTarget, PlatformRights } from './people-rights.ts';
export { readFaultPlan, type FaultPlan, type FaultRule } from './http/fault-plan.ts';
export type { LoggedRequest, RequestLog } from './http/request-log.ts';
export {
  seedDemo,
  seedScale,
  type ScaleOptions,
  type SeedOptions,
  type SeedProgress,
  type SeedResult,
} from './seed/index.ts';
