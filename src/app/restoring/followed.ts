import type { WalkOptions, WalkProgress } from '../../walker/index.ts';

/** How the walks of a target are followed, and ended before their time. */
export interface Followed {
  /** Told now and then while the target is read: before a plan, before the first write, after the last one, and to verify. */
  readonly onRead?: (progress: WalkProgress) => void;
  readonly signal: AbortSignal;
}

/** The same, as a walk takes it. */
export function followedBy({ onRead, signal }: Followed): Pick<WalkOptions, 'onProgress' | 'signal'> {
  return { signal, ...(onRead ? { onProgress: onRead } : {}) };
}

/** What of somebody's options is handed on to the walks. */
export function followedIn({ onRead, signal }: Followed): Followed {
  return { signal, ...(onRead ? { onRead } : {}) };
}
