// What of the target could not be read, and is missed: of a kind that neither the snapshot holds nor the plan writes nothing is compared.
import { childKinds, isKindName, type KindName } from '../../contract/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import { isRestored } from '../restored-kinds.ts';
import type { Plan } from '../types.ts';

interface Failed {
  readonly kind: string;
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
  return failures.filter(({ kind }) => missed.get(kind)).map(({ error }) => error);
}

function isMissed(kind: string, isCompared: (kind: KindName) => boolean): boolean {
  // What members see shows spaces that nothing else does.
  return !isKindName(kind) || kind === 'space-member' || withBelow(kind).some(isCompared);
}

function withBelow(kind: KindName): KindName[] {
  return [kind, ...childKinds(kind).flatMap(withBelow)];
}

function isHeld(kind: KindName, original: SnapshotReader): boolean {
  return original.resources(kind)[Symbol.iterator]().next().done !== true;
}
