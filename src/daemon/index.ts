/** Runs jobs at their times, one after another, and says what goes wrong. Knows jobs, not their work. */
export { createDaemon, type Daemon } from './daemon.ts';
export type { JobSchedule } from './running.ts';
export type { Job, Retrial } from './job.ts';
export { conditionsOf, isKnownOver, type Condition, type Seen } from './conditions.ts';
export { openMemory, type Memory } from './memory.ts';
export { createMessenger, type Channels, type Messenger, type Ping } from './messenger.ts';
export { createNotices, type Message, type Notices } from './notices.ts';
