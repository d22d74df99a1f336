/** Everything kept locally: snapshots, versions, tombstones, bytes, and the SQL views over them. */
export { settleHashes } from './bodies/body-hash.ts';
export {
  databasePath,
  demandWriter,
  durably,
  mirrorIdentity,
  openMirror,
  mirrorIfThere,
  mirrorState,
  readMirror,
  type Mirror,
  type MirrorOptions,
  type OpenSnapshot,
} from './database/database.ts';
export { holderOf, takeLease } from './database/lease.ts';
export type { ObjectStore } from './bodies/objects.ts';
export {
  abandonSnapshot,
  addUsage,
  lastComplete,
  lastSealed,
  lastSound,
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
  type Snapshot,
  type Usage,
} from './snapshots/snapshots.ts';
export { isOnlyUnlisted } from './snapshots/unlisted.ts';
export { isWithoutFields } from './snapshots/lost-fields.ts';
export {
  acceptedLack,
  acceptedOf,
  acceptSnapshot,
  isAccepted,
  isSound,
  lackAccepted,
  listAccepted,
  MOST_ACCEPTED,
  unacceptable,
  withdrawAccepted,
  type Accepted,
  type Unacceptable,
} from './snapshots/accepted.ts';
export { isWithoutOrganization, lastGood, type Brake } from './snapshots/brake.ts';
export { askForCopy, isCopy, originalOf, outOfReach, type Lacking, type OutOfReach } from './snapshots/lacking.ts';
export { isOfRights, reasonsOf } from './snapshots/reasons.ts';
export { isSealed } from './snapshots/sealed-states.ts';
export { unreadThings, type UnreadThing } from './snapshots/unread-words.ts';
export { limitWords } from './snapshots/limit-words.ts';
export { warningOf } from './snapshots/warning.ts';
export { countBegun, countKind, countReadTrees, countsOf, countTexts } from './observe/counts.ts';
export { changedIn, scopesBegun, type KindCounts } from './observe/counts.ts';
export {
  bodyOf,
  currentOf,
  hasWords,
  heldBelow,
  heldByKey,
  heldOf,
  isHeld,
  knownOf,
  addResource,
  move,
  setMark,
  observe,
  withdrawEnd,
  reappear,
  type Current,
  type Held,
  type Observation,
  type Observed,
} from './observe/observe.ts';
export { keyOf, paramsOf, resourceByNumber, type NumberedResource } from './observe/key.ts';
export { markOf } from './observe/mark.ts';
export { mendPaths } from './check/resource-paths.ts';
export {
  addVisit,
  finishVisit,
  visitAgain,
  lastVisit,
  leadingVisits,
  lowestStage,
  nextVisits,
  visitsBy,
  visitsLeft,
  waitingVisits,
  type Visit,
} from './observe/frontier.ts';
export { mendBodies } from './bodies/mend-bodies.ts';
export { clearShortage, explainShortage, noteShortage } from './observe/shortages.ts';
export { scopesShort, shortageOf, type ListingPlace } from './observe/shortages.ts';
export { broughtBack, deletedSpaces, UNDELETE_MS, type DeletedSpace } from './reading/bin.ts';
export { listDrift, noteDrift, type Drift } from './observe/drift.ts';
export { continuingSync, FORMER_PDF } from './snapshots/continuing-sync.ts';
export { lastWhole } from './bodies/whole-bodies.ts';
export {
  ALL_RIGHTS,
  CONTAINERS,
  acceptShrunk,
  isBelowShrunk,
  listShrunk,
  lostRights,
  noteRights,
} from './observe/shrunk.ts';
export {
  evidenceOf,
  withdrawUnlisted,
  hasNewSuspicion,
  isEnded,
  bury,
  lackingBeside,
  lapse,
  countBelow,
  countUnchangedBelow,
  uncountUnchangedBelow,
  isAnyHeld,
  markMissing,
  markUnlisted,
  markUnreachable,
  missingSince,
  newlyMissing,
  unsettledAbsences,
  type Evidence,
} from './observe/absence.ts';
export {
  carryNotOffered,
  failedBelow,
  failedKeys,
  failuresOf,
  someFailures,
  noteFailure,
  failedOf,
  noteNotOffered,
  withdrawNotOffered,
  notOfferedIn,
  withdrawFailures,
  type FailedBelow,
  type Failure,
  type FailedPlace,
} from './observe/failures.ts';
export {
  clearMarksOf,
  clearReadMarks,
  isUnsettledBelow,
  readMark,
  scopesRead,
  setReadMark,
  type ReadMark,
  type ReadPlace,
  wayTo,
} from './observe/read-marks.ts';
export {
  isShownByMember,
  membersNotRead,
  membersWhoSee,
  noteRoute,
  shownByMembers,
  unroutedSpaces,
  wasRouted,
} from './observe/routes.ts';
export {
  refusedSince,
  dropRefusedBelowEnded,
  hasRightsOfItsOwn,
  isListed,
  isRefusalAccepted,
  isNotFoundNamed,
  isNotFoundStatus,
  isRefusalNamed,
  isOnlyNotFound,
  isRefusedIn,
  noteRefused,
  refusedIn,
  refusedUnaccepted,
  refusedWords,
  type Refusal,
} from './observe/refused.ts';
export { failedIn, untoldIn, type IsUntold, type UntoldOptions } from './reading/untold.ts';
export {
  doubtBelow,
  doubtedMark,
  doubtHeld,
  unreadMark,
  unseenBelow,
  type Doubt,
  type Doubted,
} from './observe/doubts.ts';
export { mendDefinitions } from './check/definitions.ts';
export { mendSearch } from './check/search-index.ts';
export { textsBelow } from './observe/texts-below.ts';
export { spacesByCollection, spacesNaming, unknownCollections, type PlacedSpaces } from './observe/space-places.ts';
export { changedBetween, readerAt, type Outlined, type Resource, type SnapshotReader } from './reading/reader.ts';
export { isTextUnread, unreadIn, type UnreadIn } from './reading/unread.ts';
export { FIGURES, listNights, readFigures, type Night } from './snapshots/figures.ts';
export { findText, type Found } from './reading/find.ts';
export { erasOf } from './reading/history.ts';
export { keysWhere, openQuery, runQuery, type Answer } from './views/query.ts';
export { recipeOf, recipes, NAMED_SPACES, type Recipe } from './views/recipes.ts';
export { heldAsOwn, sharesText, treeBeside, treeOfText, unevenSince } from './observe/request-trees.ts';
export {
  endSharedTree,
  isSharedKind,
  lacksSharedTrees,
  sharesTexts,
  SHARED_KINDS,
  sharedEntries,
  sharedTree,
  shareTree,
  type HeldTree,
  type NewEntry,
  type SharedEntry,
  type SharedKind,
  type TreePart,
} from './observe/shared-trees.ts';
export { damagedShared } from './observe/mend-shared.ts';
export { unshare, type MadeOwn } from './observe/unshare.ts';
export { noteCaughtUp, caughtUpTo } from './observe/catch-up.ts';
export { spacesLinkingToMoved } from './observe/links-across.ts';
export { revisionsShowing, specsMovedSince, type Showing } from './observe/computed-pages.ts';
export { notePromise } from './views/freshness.ts';
export {
  diffSnapshots,
  labelOf,
  wholeSpaces,
  type Difference,
  type DiffFilter,
  type WholeSpaces,
} from './reading/diff.ts';
export { ownNews, withRequests } from './reading/own-news.ts';
export { firstTampered } from './snapshots/manifest.ts';
export {
  detailOf,
  isSame,
  outlineOf,
  type DifferenceDetail,
  type FieldChange,
  type TextChange,
} from './reading/diff-detail.ts';
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
} from './retention/prune.ts';
export type { RetentionPolicy, RetentionVerdict } from './retention/retention.ts';
export { spotCheck, type SpotCheck } from './check/spot-check.ts';
export type { ListLive, LiveAnswer, LivePlatform, ReadLive } from './check/live-types.ts';
export { damagedBodyAt } from './check/damaged-body.ts';
export { shownIn } from './check/holders.ts';
export {
  checkMirror,
  type CheckProblem,
  type CheckResult,
  type CheckProgress as MirrorCheckProgress,
  type CheckOptions as MirrorCheckOptions,
} from './check/check.ts';
export {
  beginRestore,
  endRestore,
  noteDetail,
  lastDrillOfNewest,
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
  type RestoreEnd,
  type RestoreRecord,
  type RestoreStep,
} from './restores/journal.ts';
export { openRestores, type OpenRestore } from './restores/open-restores.ts';
export {
  drillFile,
  dropRehearsals,
  halfUndone,
  isDrill,
  undoesOf,
  undoFile,
  undone,
} from './restores/restore-roles.ts';
export { presentPlace, RESTORES_FOLDER } from './restores/present-place.ts';
