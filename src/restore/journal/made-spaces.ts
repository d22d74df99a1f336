// When the spaces that a restore made were last changed: by the word of the platform, whose clock is not ours. Taken before a run
// goes on with a restore and once it has written everything, so that neither its own writes count as somebody's nor theirs as its own.
import { isAbort, isoTime, isRecord, largestOf, smallestOf, toAppError } from '../../base/index.ts';
import { type Resource, type RestoreRecord, type RestoreStep, listRestores, stepsOf } from '../../mirror/index.ts';
import { detailOf, type OwnChange } from './step-detail.ts';
import { IS_LEFT, type LaterRestores } from './later-restores.ts';
import { firstOf, textAt } from '../resource.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../types.ts';

type Asking = Pick<ApplyContext, 'client' | 'journal' | 'log'>;

/** Before the first write of a run: a space that somebody changed since the last one stays known as changed, whatever is written now. */
export async function openMadeSpaces(asking: Asking): Promise<void> {
  const written = lastWritten(asking.journal.entries);
  for (const made of madeSpaces(asking.journal.entries)) {
    const { changedAt: noted = null, isCutOff = false, seenAt } = detailOf(made);
    if (noted === null && written === null) continue;
    const now = await changedAt(asking, made.new_id ?? '');
    if (now === null) continue;
    if (now === noted) asking.journal.noteChange(made, null);
    // The run that saw it so has gone on since: what it wrote does not tell any more what was there before.
    else if (isCutOff && seenAt !== undefined && now !== seenAt) asking.journal.noteChange(made, noted, { isCutOff });
    // The run before was cut off: what was written after the last that is noted of it may be somebody's.
    if (noted === null && written !== null && Date.parse(now) > written)
      asking.journal.noteChange(made, isoTime(written), { isCutOff: true, seenAt: now });
  }
}

/** What a write changes bears a time from a moment before that of the space that it stands in. */
const AT_ONCE_MS = 2000;

/** A space that was changed after a run was cut off was changed at this time, by the word of the platform, and not since. */
export function isLastChange(journal: Asking['journal'], space: string, at: string): boolean {
  const cutOffAt = journal.cutOffAt(space);
  return cutOffAt !== undefined && Math.abs(Date.parse(cutOffAt) - Date.parse(at)) <= AT_ONCE_MS;
}

/** What changed it last, at this time, was the restore itself. */
export function settleWhereLast(journal: Asking['journal'], space: string, at: string | undefined): void {
  if (at !== undefined && isLastChange(journal, space, at)) settleOwnSpace(journal, space);
}

/** A setting is written as soon as its step begins: what changed the space then, and nothing since, was the write that was cut off. */
export function settleWhereBegun(journal: Asking['journal'], { step, key }: PlanStep): void {
  const begun = journal.begunAt(step);
  if (begun === undefined || journal.cutOffAt(firstOf(key)) === undefined) return;
  const ahead = aheadIn(journal.entries);
  if (ahead === null) return;
  settleWhereLast(journal, firstOf(key), isoTime(Date.parse(begun) + ahead));
}

/** What changed it was the restore itself: it goes on with the space, as with any other that it made. */
export function settleOwnSpace(journal: Asking['journal'], space: string): void {
  const made = journal.madeSpace(space);
  if (made) journal.noteChange(made, null);
}

/**
 * The latest time, by the clock of the platform, at which anything was written that the journal notes the end of; null when nothing
 * tells how that clock goes. A space was made after it was asked for: so much the platform's clock is ahead of ours at most.
 * @param ahead That of the whole journal, whose spaces tell it, where only some steps are meant.
 */
export function lastWritten(steps: readonly RestoreStep[], ahead = aheadIn(steps)): number | null {
  const ended = steps
    .filter(({ state, at }) => (state === 'done' || state === 'failed') && at !== '')
    .map(({ at }) => at);
  const tried = steps.flatMap((step) => detailOf(step).triedAt ?? []);
  if (ended.length === 0 || ahead === null) return null;
  return largestOf([...ended, ...tried].map((at) => Date.parse(at))) + ahead;
}

/** By how many ms the clock of the platform is ahead of ours at most; null where nothing tells. */
export function aheadIn(steps: readonly RestoreStep[]): number | null {
  const ahead = steps.flatMap((step) => {
    const { madeAt } = detailOf(step);
    return madeAt === undefined ? [] : [Date.parse(madeAt.told) - Date.parse(madeAt.asked)];
  });
  return ahead.length === 0 ? null : smallestOf(ahead);
}

/** When a write made a space, for its outcome; nothing where the answer tells no time, or that of a change before. */
export function madeAtOf(
  asked: number,
  { before, after }: { readonly before?: unknown; readonly after: unknown },
): Pick<StepOutcome, 'madeAt'> {
  const told = isRecord(after) ? textAt(after, 'updatedAt') : undefined;
  if (told === undefined || !Number.isFinite(Date.parse(told))) return {};
  if (isRecord(before) && textAt(before, 'updatedAt') === told) return {};
  return { madeAt: { asked: isoTime(asked), told } };
}

/** After the last write of a run; a run that was cut off before this is made good by the next one. */
export async function settleMadeSpaces(asking: Asking): Promise<void> {
  for (const made of madeSpaces(asking.journal.entries)) {
    if ((detailOf(made).changedAt ?? null) !== null) continue;
    const at = await changedAt(asking, made.new_id ?? '');
    if (at !== null) asking.journal.noteChange(made, at);
  }
}

interface Making {
  readonly record: Pick<RestoreRecord, 'ended_at'>;
  readonly steps: readonly RestoreStep[];
  readonly later: LaterRestores;
}

/** Why a space that the restore made is not to be taken away; null for one that nobody changed since, but for restores that were taken back. */
export function spacesChangedSince({
  record: { ended_at: endedAt },
  steps,
  later,
}: Making): (space: Resource) => string | null {
  const noted = new Map(madeSpaces(steps).map((made) => [made.new_id, detailOf(made)]));
  const written = lastWritten(steps);
  return ({ id, body }) => {
    const now = textAt(body, 'updatedAt');
    const { changedAt: then = null, isCutOff = false, cameWith } = noted.get(id) ?? {};
    if (now === undefined) return null;
    const isChanged = (at: string): boolean => Date.parse(now) > Date.parse(at);
    const why = (at: string): string | null => later.whyChanged({ kind: 'space', id, space: id, left: at, now });
    if (then !== null && isChanged(then)) return isCutOff ? CUT_OFF : why(then);
    if (then !== null) return (cameWith ?? body['revision']) === body['revision'] ? null : EDITED_MEANWHILE;
    if (written !== null) return Date.parse(now) > written ? CUT_OFF : null;
    // An earlier program kept nothing but when the restore ended, by our clock.
    if (endedAt !== null) return isChanged(endedAt) ? why(endedAt) : null;
    return CUT_OFF;
  };
}

const EDITED_MEANWHILE = `somebody edited its pages since it came out of the bin: ${IS_LEFT}`;
const CUT_OFF = `the restore was cut off, and this was changed after the last write that is noted, by somebody or by the restore itself: ${IS_LEFT}`;

/** The steps that made spaces, or brought them out of the bin. */
export function madeSpaces(steps: readonly RestoreStep[]): RestoreStep[] {
  return steps.filter(({ kind, state, new_id: id }) => kind === 'space' && state === 'done' && id !== null);
}

/** Null when it cannot be asked for: what was written is written all the same. */
async function changedAt({ client, log }: Omit<Asking, 'journal'>, id: string): Promise<string | null> {
  try {
    const space = await client.call('getSpace', { path: { spaceId: id } });
    return space.updatedAt;
  } catch (error) {
    if (isAbort(error)) throw error;
    log.warn({ space: id, err: toAppError(error).message }, 'when a space was last changed is not known');
    return null;
  }
}

/** When spaces were last changed, by their ids. */
type SpaceTimes = ReadonlyMap<string, string>;

type Writing = Pick<ApplyContext, 'client' | 'ids' | 'journal' | 'log' | 'mirror' | 'plan'>;

/** Before the first write of a run: of the spaces that it writes in and that a restore of this mirror has made. */
export async function openOwnChanges(writing: Writing): Promise<SpaceTimes> {
  const times = new Map<string, string>();
  for (const space of madeAndWritten(writing)) {
    const at = await changedAt(writing, space);
    if (at !== null) times.set(space, at);
  }
  return times;
}

/** After the last write of a run. One that was cut off before this notes nothing: then nobody can tell what others have changed. */
export async function settleOwnChanges(writing: Writing, opened: SpaceTimes): Promise<void> {
  const changes: OwnChange[] = [];
  for (const [space, from] of opened) {
    const to = await changedAt(writing, space);
    if (to !== null && to !== from) changes.push({ space, from, to });
  }
  if (changes.length > 0) writing.journal.noteOwnChanges(changes);
}

function madeAndWritten({ mirror, plan, ids }: Writing): string[] {
  const written = new Set<string>();
  for (const { part, key } of plan.steps) {
    const holder = firstOf(key);
    if (part !== 'none') written.add(ids.get('space', holder) ?? holder);
  }
  const made = listRestores(mirror)
    .filter(({ target }) => target === plan.target.url)
    .flatMap(({ id }) => madeSpaces(stepsOf(mirror, id)).map(({ new_id: space }) => space ?? ''));
  return [...new Set(made)].filter((space) => written.has(space));
}
