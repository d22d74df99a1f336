import {
  forget,
  openMirror,
  planForget,
  prune,
  readMirror,
  takeLease,
  type Mirror,
  type Pruned,
  type RetentionPolicy,
  type RetentionVerdict,
} from '../mirror/index.ts';
import type { Kit } from './kit.ts';

export interface ForgetOptions {
  readonly policy: RetentionPolicy;
  /** Only says what would be dropped. */
  readonly dryRun: boolean;
  /** Frees at once what nothing refers to any more. */
  readonly prune: boolean;
}

export interface Forgotten {
  /** What becomes of each snapshot and why, oldest first. */
  readonly verdicts: readonly RetentionVerdict[];
  /** Null when nothing was freed. */
  readonly pruned: Pruned | null;
}

/** Drops the snapshots that the policy does not keep. Throws DM_BRAKE while the newest snapshot is suspect. */
export async function forgetSnapshots(kit: Kit, { policy, dryRun, prune: freeing }: ForgetOptions): Promise<Forgotten> {
  if (dryRun) {
    using mirror = readMirror({ dataDir: kit.config.dataDir, clock: kit.clock });
    return { verdicts: planForget(mirror, policy), pruned: null };
  }
  return withMirror(kit, 'forget', (mirror) => {
    const verdicts = forget(mirror, policy);
    return { verdicts, pruned: freeing ? prune(mirror) : null };
  });
}

/** Frees what no snapshot refers to. */
export function pruneMirror(kit: Kit): Promise<Pruned> {
  return withMirror(kit, 'prune', prune);
}

async function withMirror<T>({ config, clock }: Kit, purpose: string, work: (mirror: Mirror) => T): Promise<T> {
  // Throws where there is no mirror yet, instead of making one.
  readMirror({ dataDir: config.dataDir, clock })[Symbol.dispose]();
  using _lease = await takeLease(config.dataDir, purpose);
  using mirror = await openMirror({ dataDir: config.dataDir, clock });
  return work(mirror);
}
