/** What a snapshot shows, as programs read it. */
export { broughtBack, deletedSpaces, UNDELETE_MS, type DeletedSpace } from './bin.ts';
export { failedIn, untoldIn, type IsUntold, type UntoldOptions } from './untold.ts';
export {
  changedBetween,
  PAGES_AT_ONCE,
  readerAt,
  type Outlined,
  type Resource,
  type SnapshotReader,
} from './reader.ts';
export { namingFiles, readerByIds } from './files-by-id.ts';
export { SignedTexts, textToKeep } from './signed-texts.ts';
export { isTextUnread, unreadIn, type UnreadIn } from './unread.ts';
export { findText, type Found } from './find.ts';
export { erasOf } from './history.ts';
export { diffSnapshots, labelOf, wholeSpaces, type Difference, type DiffFilter, type WholeSpaces } from './diff.ts';
export { ownNews, withRequests } from './own-news.ts';
export {
  detailOf,
  isSame,
  outlineOf,
  type DifferenceDetail,
  type FieldChange,
  type TextChange,
} from './diff-detail.ts';
