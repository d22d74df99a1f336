/** Bodies, texts and bytes: each kept once, by its hash. */
export { settleHashes } from './body-hash.ts';
export type { ObjectStore } from './objects.ts';
export { largestObject } from './largest-object.ts';
export { mendBodies } from './mend-bodies.ts';
export { lastWhole } from './whole-bodies.ts';
