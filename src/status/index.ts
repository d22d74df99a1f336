/** How the mirror stands, for people and for monitoring. Reads the mirror only. */
export { readStatus, type FreshnessLimits, type StatusReport } from './status-report.ts';
export { noLiveState, type JobState, type LiveState, type WalkState } from './live-state.ts';
export { createStatusApp, type StatusAppOptions } from './status-app.ts';
export { startStatusServer, type StatusServer, type StatusServerOptions } from './status-server.ts';
