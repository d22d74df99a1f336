/** Which snapshots are kept, and what is freed. */
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
