// Which messages are due: each cause is told once, again after a while or when there is more to it, and when it is over.
import { isoTime, isRecord, type Clock } from '../base/index.ts';
import type { Condition, ConditionEvent } from './conditions.ts';
import type { Memory } from './memory.ts';

export interface Message {
  readonly event: ConditionEvent | 'recovered';
  readonly cause: string;
  readonly what: string;
  readonly means: string;
  readonly run: string;
  /** ISO 8601: since when it is so. */
  readonly since: string;
  /** It was told before, and is so still. */
  readonly reminder: boolean;
}

export interface NoticesOptions {
  readonly memory: Memory;
  readonly clock: Clock;
  readonly remindAfterMs: () => number;
  /** True when at least one receiver has it. */
  readonly deliver: (message: Message) => Promise<boolean>;
}

export interface Notices {
  /**
   * Tells what is new, what is due again and what is over. What nobody could be told is tried again at the next call.
   * `isKnownOver` says whether a cause that is not among the conditions is over; `since` is in milliseconds since the epoch.
   */
  update(conditions: readonly Condition[], isKnownOver: (cause: string, since: number) => boolean): Promise<void>;
}

// A type alias and no interface, so that it counts as JSON.
type Told = {
  readonly what: string;
  readonly since: string;
  readonly told: string;
  readonly silent: boolean;
  readonly behind: string | null;
  /** Of which somebody was told; null where that was not noted. */
  readonly parts: string[] | null;
};

const NAME = 'notices';

/** Tells each cause once, again after `remindAfterMs`, and when it is over; what was told is kept in the memory of the daemon. */
export function createNotices(options: NoticesOptions): Notices {
  return {
    update: async (conditions, isKnownOver) => {
      for (const one of conditions) await tell(options, one);
      const now = new Set(conditions.map(({ cause }) => cause));
      for (const [cause, told] of recall(options.memory)) {
        if (now.has(cause) || !isKnownOver(cause, Date.parse(told.since))) continue;
        const heir = conditions.find(({ behind }) => behind !== undefined && behind === told.behind);
        if (heir !== undefined && !told.silent) await handOver(options.memory, cause, heir.cause);
        else await tellEnd(options, { cause, told });
      }
    },
  };
}

async function tell(options: NoticesOptions, condition: Condition): Promise<void> {
  const { memory, clock, deliver } = options;
  const { cause, event, what, means, run, behind = null, parts = [] } = condition;
  const all = recall(memory);
  const earlier = all.get(cause);
  const known = earlier?.parts ?? parts;
  const isMore = parts.some((part) => !known.includes(part));
  if (earlier !== undefined && !isMore && isRecent(options, earlier)) return;
  const now = isoTime(clock.now());
  const since = earlier?.since ?? now;
  const isToldBeside = (behind !== null && isTold(options, all, behind)) || isToldAsPart(options, all, cause);
  const message = { event, cause, what, means, run, since, reminder: earlier !== undefined && !isMore };
  if (!isToldBeside && !(await deliver(message))) return;
  const silent = isToldBeside || condition.endsSilently === true;
  const told = [...new Set([...known, ...parts])];
  await note(memory, cause, { what, since, told: now, silent, behind, parts: told });
}

/** Whether somebody was told, by a message on something else, of what lies behind a cause as well. */
function isTold(options: NoticesOptions, known: ReadonlyMap<string, Told>, behind: string): boolean {
  return [...known.values()].some((told) => told.behind === behind && !told.silent && isRecent(options, told));
}

/** Whether somebody was told of it as a part of something else. */
function isToldAsPart(options: NoticesOptions, known: ReadonlyMap<string, Told>, cause: string): boolean {
  return [...known.values()].some((told) => told.parts?.includes(cause) === true && isRecent(options, told));
}

/** What was told at a time that is yet to come, by a clock that was wrong then, would be told no more until that time. */
function isRecent({ clock, remindAfterMs }: NoticesOptions, { told }: Told): boolean {
  return Math.abs(clock.now() - Date.parse(told)) < remindAfterMs();
}

async function tellEnd(
  { memory, deliver }: NoticesOptions,
  { cause, told }: { cause: string; told: Told },
): Promise<void> {
  const message: Message = {
    event: 'recovered',
    cause,
    what: `Over: ${told.what}`,
    means: 'This is so no more. Nothing is to be done.',
    run: 'docmirror status',
    since: told.since,
    reminder: false,
  };
  if (told.silent || (await deliver(message))) await note(memory, cause, null);
}

/** What lies behind something that is over goes on: its end is told with that of what it still shows in. */
async function handOver(memory: Memory, cause: string, heir: string): Promise<void> {
  const told = recall(memory).get(heir);
  if (told !== undefined) await note(memory, heir, { ...told, silent: false });
  await note(memory, cause, null);
}

/** Each is noted as soon as it is told: who is ended before the next one tells none twice, and what another process told stays. */
async function note(memory: Memory, cause: string, told: Told | null): Promise<void> {
  const known = recall(memory);
  if (told === null) known.delete(cause);
  else known.set(cause, told);
  await memory.set(NAME, Object.fromEntries(known));
}

function recall(memory: Memory): Map<string, Told> {
  const found = memory.get(NAME);
  const known = new Map<string, Told>();
  if (!isRecord(found)) return known;
  for (const [cause, told] of Object.entries(found)) {
    if (!isRecord(told)) continue;
    const { what, since, told: at, silent, behind, parts } = told;
    if (typeof what !== 'string' || typeof since !== 'string' || typeof at !== 'string') continue;
    known.set(cause, {
      what,
      since,
      told: at,
      silent: silent === true,
      behind: typeof behind === 'string' ? behind : null,
      parts: Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : null,
    });
  }
  return known;
}
