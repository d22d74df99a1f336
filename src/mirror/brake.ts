// The brake on mass change: too much gone or rewritten at once makes a snapshot suspect.
import { countsOf } from './counts.ts';
import type { Mirror } from './database.ts';

/** Both the share and the count must be passed; shares are 0 to 1. */
export interface Brake {
  readonly deletedShare: number;
  readonly deletedCount: number;
  readonly rewrittenShare: number;
  readonly rewrittenCount: number;
}

interface BrakeInput {
  readonly id: number;
  readonly previous: number | null;
  readonly brake: Brake;
}

/** Why a snapshot is suspect, in words; empty when nothing is unusual. */
export function brakeReasons(mirror: Mirror, { id, previous, brake }: BrakeInput): string[] {
  if (previous === null) return [];
  return Object.entries(countsOf(mirror, id)).flatMap(([kind, counts]) => {
    if (counts.gone < brake.deletedCount && counts.changed < brake.rewrittenCount) return [];
    const before = heldAt(mirror, kind, previous);
    const reasons: string[] = [];
    if (counts.gone >= brake.deletedCount && counts.gone >= before * brake.deletedShare) {
      reasons.push(`${counts.gone} of ${before} ${kind} gone at once`);
    }
    const isContent = kind === 'page' || kind === 'comment';
    if (isContent && counts.changed >= brake.rewrittenCount && counts.changed >= before * brake.rewrittenShare) {
      reasons.push(`${counts.changed} of ${before} ${kind} rewritten at once`);
    }
    return reasons;
  });
}

function heldAt(mirror: Mirror, kind: string, snapshot: number): number {
  const row = mirror.store
    .prepare<{ n: number }>(
      `select count(*) as n from resources r join versions v on v.rid = r.rid
       where r.kind = ? and v.valid_from <= ? and (v.valid_to is null or v.valid_to > ?)`,
    )
    .get(kind, snapshot, snapshot);
  return row?.n ?? 0;
}
