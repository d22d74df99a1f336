/** What a walk records in the open snapshot: what it saw, what is gone, what it could not read. */
export { countBegun, countKind, countReadTrees, countsOf, countTexts } from './counts.ts';
export { changedIn, scopesBegun, type KindCounts } from './counts.ts';
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
} from './observe.ts';
export { keyOf, paramsOf, resourceByNumber, type NumberedResource } from './key.ts';
export { markOf } from './mark.ts';
export { withoutSignature } from './signed-addresses.ts';
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
} from './frontier.ts';
export { clearShortage, explainShortage, noteShortage } from './shortages.ts';
export { scopesShort, shortageOf } from './shortages.ts';
export { listDrift, noteDrift, type Drift } from './drift.ts';
export { ALL_RIGHTS, CONTAINERS, acceptShrunk, isBelowShrunk, listShrunk, lostRights, noteRights } from './shrunk.ts';
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
} from './absence.ts';
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
} from './failures.ts';
export {
  clearMarksOf,
  clearReadMarks,
  isUnsettledBelow,
  listingsStanding,
  readMark,
  scopesRead,
  setReadMark,
  type ReadMark,
  type ListingPlace,
  wayTo,
} from './read-marks.ts';
export {
  isShownByMember,
  membersNotRead,
  membersWhoSee,
  noteRoute,
  shownByMembers,
  unroutedSpaces,
  wasRouted,
} from './routes.ts';
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
} from './refused.ts';
export { doubtBelow, doubtedMark, doubtHeld, unreadMark, unseenBelow, type Doubt, type Doubted } from './doubts.ts';
export { textsBelow } from './texts-below.ts';
export { spacesByCollection, spacesNaming, unknownCollections, type PlacedSpaces } from './space-places.ts';
export { heldAsOwn, sharesText, documentBeside, documentOfText, unevenSince } from './request-texts.ts';
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
} from './shared-trees.ts';
export { damagedShared } from './mend-shared.ts';
export { unshare, type MadeOwn } from './unshare.ts';
export { noteCaughtUp, caughtUpTo } from './catch-up.ts';
export { spacesLinkingToMoved } from './links-across.ts';
export { revisionsShowing, specsMovedSince, type Showing } from './computed-pages.ts';
