/** The platform's API as data: operations, resource schemas, resource kinds. No I/O. */
export * from './kinds/index.ts';
export * from './kinds/fields.ts';
export { directQuery, directRead, pathFor } from './kinds/asking.ts';
export { reliedOn, writtenTold, type Relied } from './kinds/relied.ts';
export { isStamped, movedBy, tellersOf } from './kinds/tellers.ts';
export { coverage, type Coverage } from './coverage.ts';
export { createUnknowns, type Unknown } from './unknowns.ts';
export type { KindShape, Reading, Recovery } from './kinds/define.ts';
export * from './operations/index.ts';
export type { Method, OperationShape } from './operations/define.ts';
export * from './schemas/types.ts';
export * from './serving/index.ts';
export { PAGE_FLAGS, PAGE_TEXTS, REVISION_TYPES } from './schemas/content.ts';
export { LONGEST_OPTION, MOST_OPTIONS } from './schemas/extras.ts';
export {
  CHANGE_REQUEST_STATUSES,
  isSettled,
  isUnderWay,
  SETTLED_STATUSES,
  UNDER_WAY_STATUSES,
} from './schemas/discussions.ts';
export { ROLES } from './schemas/common.ts';

/** Changes with every edit of the contract that a reader of an old snapshot must know of. */
export const CONTRACT_VERSION = 1;
