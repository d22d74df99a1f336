/** Snapshots: their states, what they lack, what differs between them. */
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
} from './snapshots.ts';
export { isOnlyUnlisted } from './unlisted.ts';
export { isWithoutFields } from './lost-fields.ts';
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
} from './accepted.ts';
export { isWithoutOrganization, lastGood, type Brake } from './brake.ts';
export { askForCopy, originalOf, outOfReach, type Lacking, type OutOfReach } from './lacking.ts';
export { isOfRights, reasonsOf } from './reasons.ts';
export { isSealed } from './sealed-states.ts';
export { unreadThings, type UnreadThing } from './unread-words.ts';
export { limitWords } from './limit-words.ts';
export { warningOf } from './warning.ts';
export { continuingSync, FORMER_PDF } from './continuing-sync.ts';
export { FIGURES, listNights, readFigures, type Night } from './figures.ts';
export { firstTampered } from './manifest.ts';
