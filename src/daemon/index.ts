/** Runs jobs at their times, one after another. Knows jobs, not their work. */
export { createDaemon, type Daemon, type DaemonOptions } from './daemon.ts';
export type { Job } from './job.ts';
