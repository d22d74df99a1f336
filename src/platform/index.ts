/** The embedded implementation of the platform: an HTTP server with its own database, faults on demand, and seeds. */
export { createPlatformChecks } from './checks.ts';
export { startOnThread } from './thread/start-on-thread.ts';
export { startPlatform, type EmbeddedPlatform, type PlatformOptions } from './start-platform.ts';
export { MOST_CLOCK_SHIFT_MS } from './http/control-app.ts';
export { readFaultPlan, type FaultPlan, type FaultRule } from './http/fault-plan.ts';
export { MOST_SCALE_PAGES, seedDemo, seedScale, type SeedProgress } from './seed/index.ts';
