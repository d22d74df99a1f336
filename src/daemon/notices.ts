// Which messages are due: each cause is told once, again after a while, and when it is over.
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
   * `isKnownOver` says whether a cause that is not among the conditions is over.
   */
  update(conditions: readonly Condition[], isKnownOver: (cause: string) => boolean): Promise<void>;
}

// A type alias and no interface, so that it counts as JSON.
type Told = { readonly what: string; readonly since: string; readonly told: string; readonly silent: boolean };

const NAME = 'notices';

export function createNotices(options: NoticesOptions): Notices {
  const known = recall(options.memory);
  return {
    update: async (conditions, isKnownOver) => {
      const before = JSON.stringify([...known]);
      for (const one of conditions) await tell(options, known, one);
      const now = new Set(conditions.map(({ cause }) => cause));
      for (const [cause, told] of known) {
        if (!now.has(cause) && isKnownOver(cause)) await tellEnd(options, known, { cause, told });
      }
      if (JSON.stringify([...known]) !== before) await options.memory.set(NAME, Object.fromEntries(known));
    },
  };
}

async function tell(options: NoticesOptions, known: Map<string, Told>, condition: Condition): Promise<void> {
  const { clock, remindAfterMs, deliver } = options;
  const { cause, event, what, means, run } = condition;
  const earlier = known.get(cause);
  const now = clock.now();
  if (earlier !== undefined && isRecent(now - Date.parse(earlier.told), remindAfterMs())) return;
  const since = earlier?.since ?? isoTime(now);
  if (!(await deliver({ event, cause, what, means, run, since, reminder: earlier !== undefined }))) return;
  known.set(cause, { what, since, told: isoTime(now), silent: condition.endsSilently === true });
}

/** What was told at a time that is yet to come, by a clock that was wrong then, would be told no more until that time. */
function isRecent(sinceTold: number, remindAfterMs: number): boolean {
  return Math.abs(sinceTold) < remindAfterMs;
}

async function tellEnd(
  { deliver }: NoticesOptions,
  known: Map<string, Told>,
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
  if (told.silent || (await deliver(message))) known.delete(cause);
}

function recall(memory: Memory): Map<string, Told> {
  const found = memory.get(NAME);
  const known = new Map<string, Told>();
  if (!isRecord(found)) return known;
  for (const [cause, told] of Object.entries(found)) {
    if (!isRecord(told)) continue;
    const { what, since, told: at, silent } = told;
    if (typeof what !== 'string' || typeof since !== 'string' || typeof at !== 'string') continue;
    known.set(cause, { what, since, told: at, silent: silent === true });
  }
  return known;
}
