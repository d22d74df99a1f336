/** How the mirror stands, for people and for monitoring. Reads the mirror only. */
export { namedIn, platformWords, readStatus, reasonsButOfRights, type StatusReport } from './status-report.ts';
export { restoresToGoOn } from './restores.ts';
export { deletedTogether, deletedWords, undeleteOne, type DeletedTogether } from './undelete.ts';
export { readReport, readReportInTurns, type Report } from './report.ts';
export { reportHtml } from './pages/report-page.ts';
export {
  noRuntimeState,
  OF_NO_WORK,
  type DiskSpace,
  type JobState,
  type RuntimeState,
  type MessageCount,
  type RequestCount,
  type WalkState,
} from './runtime-state.ts';
export type { AccessSettings } from './access.ts';
export { askerSignal, unread } from './asker.ts';
export { demandStatusServer, listeningProblem } from './may-listen.ts';
export { startStatusServer, statusAddress, type StatusServer } from './status-server.ts';
