// What of the target could not be read, and is missed. A platform says "not found" of lists that it does not have: of a kind that neither
// the snapshot holds nor the plan writes, nothing would be compared with them.
import { childKinds, isKindName, type KindName } from '../../contract/index.ts';
import { isNotFoundStatus, type SnapshotReader } from '../../mirror/index.ts';
import { isRestored } from '../restored-kinds.ts';
import type { Plan } from '../types.ts';

interface Failed {
  readonly kind: string;
  readonly status: number | null;
  readonly error: string;
}

interface Verified {
  readonly plan: Plan;
  readonly original: SnapshotReader;
}

/** In words, as they were told. */
export function unreadThere(failures: readonly Failed[], { plan, original }: Verified): string[] {
  const written = new Set(plan.steps.map(({ kind }) => kind));
  const isCompared = (kind: KindName): boolean => isRestored(kind) && (written.has(kind) || isHeld(kind, original));
  const missed = new Map<string, boolean>();
  for (const { kind } of failures) if (!missed.has(kind)) missed.set(kind, isMissed(kind, isCompared));
  return failures
    .filter(({ kind, status }) => missed.get(kind) === true || !isNotFoundStatus(status))
    .map(({ error }) => error);
}

function isMissed(kind: string, isCompared: (kind: KindName) => boolean): boolean {
  // What members see shows spaces that nothing else does.
  return !isKindName(kind) || kind === 'space-member' || withBelow(kind).some(isCompared);
}

function withBelow(kind: KindName): KindName[] {
  return [kind, ...childKinds(kind).flatMap(withBelow)];
}

function isHeld(kind: KindName, original: SnapshotReader): boolean {
  // A loop, since what is left at its first item is to be closed.
  for (const _ of original.resources(kind)) return true;
  return false;
}
