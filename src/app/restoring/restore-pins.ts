// Snapshots that a restore still needs are pinned, and let go by themselves: what a restore brings back until it is at its end, what
// stood before it until it is taken back. A snapshot has one pin, whose reason holds every claim; what somebody wrote there stays.
import {
  listPins,
  listRestores,
  listSnapshots,
  pinSnapshot,
  stepsOf,
  unpinSnapshot,
  undone,
  type Mirror,
  type Pin,
  type RestoreRecord,
} from '../../mirror/index.ts';
import type { Plan } from '../../restore/index.ts';

type Need = 'source' | 'before';

const BETWEEN = '; ';
const CLAIMS: Readonly<Record<Need, (restore: string) => string>> = {
  source: (restore) => `source of restore ${restore}, which is not at its end`,
  before: (restore) => `before restore ${restore}, for its undo`,
};
const CLAIM =
  /^(?:source of restore (?<source>[^ ,;]+), which is not at its end|before restore (?<before>[^ ,;]+), for its undo)$/;

/** Pins what the restore reads until it is at its end, and what its undo brings back. What lies in an archive of its own is not forgotten. */
export function pinFor(mirror: Mirror, plan: Plan, restore: string): void {
  if (plan.archive !== null) return;
  claim(mirror, plan.snapshot, CLAIMS.source(restore));
  if (plan.live === null) return;
  // An undo is not taken back itself: what stood before it is needed while it is carried out.
  claim(mirror, plan.live.snapshot, plan.undoes === null ? CLAIMS.before(restore) : CLAIMS.source(restore));
}

/** Lets go of what no restore needs any more, whichever it was pinned for; what is left of the one restore. */
export function settlePins(mirror: Mirror, restore: string): Pin[] {
  const records = new Map(listRestores(mirror).map((record) => [record.id, record]));
  const back = undone(mirror);
  const isNeeded = (part: string): boolean => {
    const { source, before } = CLAIM.exec(part)?.groups ?? {};
    const id = source ?? before;
    if (id === undefined) return true;
    const record = records.get(id);
    if (record === undefined || back.has(id)) return false;
    return source === undefined ? canBeTakenBack(mirror, record) : record.state !== 'done';
  };
  for (const pin of listPins(mirror)) {
    const parts = pin.reason.split(BETWEEN);
    const needed = parts.filter(isNeeded);
    if (needed.length === 0) unpinSnapshot(mirror, pin.snapshot);
    else if (needed.length < parts.length) pinSnapshot(mirror, pin.snapshot, needed.join(BETWEEN));
  }
  return claimsOf(mirror, restore);
}

function canBeTakenBack(mirror: Mirror, record: RestoreRecord): boolean {
  return record.state !== 'done' || stepsOf(mirror, record.id).some(({ state }) => state === 'done');
}

function claim(mirror: Mirror, snapshot: number, reason: string): void {
  if (!listSnapshots(mirror).some(({ id }) => id === snapshot)) return;
  const parts = reasonsOf(listPins(mirror).find((pin) => pin.snapshot === snapshot));
  if (!parts.includes(reason)) pinSnapshot(mirror, snapshot, [...parts, reason].join(BETWEEN));
}

/** Each with the one reason that is of this restore. */
function claimsOf(mirror: Mirror, restore: string): Pin[] {
  const own = Object.values(CLAIMS).map((reason) => reason(restore));
  return listPins(mirror).flatMap((pin) =>
    reasonsOf(pin)
      .filter((reason) => own.includes(reason))
      .map((reason) => ({ ...pin, reason })),
  );
}

function reasonsOf(pin: Pin | undefined): string[] {
  return pin === undefined ? [] : pin.reason.split(BETWEEN);
}
