/** Everything kept locally: snapshots, versions, tombstones, bytes, and the SQL views over them. */
export { settleHashes } from './body-hash.ts';
export {
  databasePath,
  demandWriter,
  openMirror,
  readMirror,
  type Mirror,
  type MirrorOptions,
  type OpenSnapshot,
} from './database.ts';
export { holderOf, takeLease, type Lease } from './lease.ts';
export type { ObjectStore } from './objects.ts';
export type { SnapshotState } from './tables.ts';
export {
  abandonSnapshot,
  addUsage,
  lastComplete,
  lastSealed,
  listSnapshots,
  sealedBefore,
  noteResumed,
  openedSnapshot,
  openSnapshot,
  resolveSnapshot,
  sealSnapshot,
  setTerms,
  snapshotById,
  termsOfSnapshot,
  type OpenSnapshotOptions,
  type Snapshot,
  type Usage,
} from './snapshots.ts';
export { acceptSnapshot, isAccepted, listAccepted, type Accepted, type Brake } from './brake.ts';
export { countKind, countsOf, type KindCounts } from './counts.ts';
export {
  bodyOf,
  currentOf,
  addResource,
  markOf,
  move,
  remark,
  observe,
  reappear,
  type Current,
  type Observation,
  type Observed,
} from './observe.ts';
export { keyOf } from './key.ts';
export { mendPaths } from './resource-paths.ts';
export {
  addVisit,
  finishVisit,
  visitAgain,
  lastVisit,
  lowestStage,
  nextVisits,
  visitsBy,
  visitsLeft,
  waitingVisits,
  type NewVisit,
  type Visit,
} from './frontier.ts';
export { mendBodies } from './mend-bodies.ts';
export { clearShortage, noteShortage, shortageOf, type ListingPlace } from './shortages.ts';
export { deletedSpaces, UNDELETE_MS, type DeletedSpace } from './bin.ts';
export { listDrift, noteDrift, type Drift } from './drift.ts';
export { continuingSync, FORMER_PDF } from './continuing.ts';
export { lastWhole } from './whole-bodies.ts';
export { ALL_RIGHTS, acceptShrunk, isBelowShrunk, listShrunk, lostRights, noteRights, type Shrunk } from './shrunk.ts';
export {
  hasNewSuspicion,
  bury,
  lackingBeside,
  lapse,
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
  carryNotOffered,
  clearReadMarks,
  failedBelow,
  failedKeys,
  failuresOf,
  heldOf,
  isShownByMember,
  isUnsettledBelow,
  mirrorIdentity,
  noteFailure,
  noteNotOffered,
  noteRoute,
  notOfferedIn,
  readMark,
  setReadMark,
  unroutedSpaces,
  wasRouted,
  type Failure,
  type Held,
  type ReadMark,
} from './reads.ts';
export { doubtBelow, doubtedMark, doubtHeld, type Doubt, type Doubted } from './doubts.ts';
export { spacesByCollection, type PlacedSpaces } from './space-places.ts';
export { changedBetween, readerAt, type Outlined, type Resource, type SnapshotReader } from './reader.ts';
export { FIGURES, listNights, readFigures, type Figures, type Night } from './figures.ts';
export { findText, type Found } from './find.ts';
export { erasOf, type Era } from './history.ts';
export { openQuery, runQuery, type Answer } from './query.ts';
export { recipeOf, recipes, type Recipe } from './recipes.ts';
export { noteTreesSettled, sharesText, treesSettled, unevenSince, type UnevenPage } from './request-trees.ts';
export { notePromise } from './freshness.ts';
export { diffSnapshots, wholeSpaces, type Difference, type DiffFilter, type WholeSpaces } from './diff.ts';
export { firstTampered } from './manifest.ts';
export {
  detailOf,
  isSame,
  withoutValues,
  type DifferenceDetail,
  type FieldChange,
  type TextChange,
} from './diff-detail.ts';
export {
  forget,
  forgetRefusal,
  listPins,
  pinSnapshot,
  planForget,
  prune,
  unpinSnapshot,
  type Pin,
  type Pruned,
} from './prune.ts';
export type { RetentionPolicy, RetentionVerdict } from './retention.ts';
export { spotCheck, type LiveAnswer, type ReadLive, type SpotCheck } from './spot-check.ts';
export {
  checkMirror,
  damagedBodyAt,
  type CheckProblem,
  type CheckResult,
  type CheckOptions as MirrorCheckOptions,
} from './check.ts';
export {
  beginRestore,
  endRestore,
  noteDetail,
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
  type RestoreEnd,
  type RestoreRecord,
  type RestoreStep,
} from './journal.ts';
