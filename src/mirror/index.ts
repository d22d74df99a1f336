/** Everything kept locally: snapshots, versions, tombstones, bytes, and the SQL views over them. */
export {
  databasePath,
  openMirror,
  readMirror,
  type Mirror,
  type MirrorOptions,
  type OpenSnapshot,
} from './database.ts';
export { takeLease, type Lease } from './lease.ts';
export type { ObjectStore } from './objects.ts';
export type { SnapshotState } from './tables.ts';
export {
  abandonSnapshot,
  addUsage,
  lastComplete,
  lastSealed,
  listSnapshots,
  noteResumed,
  openedSnapshot,
  openSnapshot,
  resolveSnapshot,
  sealSnapshot,
  snapshotById,
  type OpenSnapshotOptions,
  type Snapshot,
} from './snapshots.ts';
export type { Brake } from './brake.ts';
export { countKind, countsOf, type KindCounts } from './counts.ts';
export {
  bodyOf,
  currentOf,
  ensureResource,
  keyOf,
  markOf,
  move,
  observe,
  reappear,
  type Current,
  type Observation,
  type Observed,
} from './observe.ts';
export { addVisit, finishVisit, lowestStage, nextVisits, visitsLeft, type NewVisit, type Visit } from './frontier.ts';
export {
  bury,
  countBelow,
  countUnchangedBelow,
  markMissing,
  markUnreachable,
  missingSince,
  notAmong,
  type Evidence,
  type Missing,
} from './absence.ts';
export {
  clearReadMarks,
  failedBelow,
  failuresOf,
  isNotOffered,
  isUnsettledBelow,
  noteFailure,
  noteNotOffered,
  noteRoute,
  notOfferedIn,
  readMark,
  setReadMark,
  unroutedSpaces,
  wasRouted,
  type Failure,
} from './reads.ts';
export { readerAt, type Resource, type SnapshotReader } from './reader.ts';
export { runQuery, type QueryResult } from './query.ts';
export { diffSnapshots, type Difference } from './diff.ts';
export { forget, pinSnapshot, planForget, prune, unpinSnapshot, type Pruned } from './prune.ts';
export type { RetentionPolicy, RetentionVerdict } from './retention.ts';
export { checkMirror, damagedBodyAt, type CheckProblem, type CheckResult } from './check.ts';
export {
  beginRestore,
  endRestore,
  lastPassedDrill,
  listDrills,
  listRestores,
  noteStep,
  recordDrill,
  restoreById,
  restoreOfPlan,
  setRestoreReport,
  stepsOf,
  type Drill,
  type NewRestore,
  type RestoreRecord,
  type RestoreStep,
} from './journal.ts';
