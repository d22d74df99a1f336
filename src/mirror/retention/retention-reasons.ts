// Why a snapshot is kept or not, in sentences that somebody understands who has not set the policy.
import { count } from '../../base/index.ts';
import type { RetentionCandidate, RetentionPolicy } from './retention.ts';

export type Span = 'day' | 'week' | 'month' | 'year';

/** What speaks for one snapshot. */
export interface Grounds {
  /** Sentences without their full stop. */
  readonly said: Set<string>;
  /** Of which spans there are fewer than the policy keeps, so that the oldest one stays: `14 days`. */
  readonly unfilled: Set<string>;
}

/** One that lacks nothing but what was accepted counts as complete: else none would go for as long as one thing cannot be read. */
export function isCounting({ state, accepted = false }: RetentionCandidate): boolean {
  return state === 'complete' || (state === 'partial' && accepted);
}

/** Whether its walk was of everything. */
export function isOfAll({ scope = null }: RetentionCandidate): boolean {
  return scope === null;
}

/** What holds whatever the policy says. */
export function floorReasons(
  one: RetentionCandidate,
  all: readonly RetentionCandidate[],
  complete: readonly RetentionCandidate[],
): string[] {
  const newestComplete = complete.at(-1);
  const newestSealed = all.findLast((other) => other.state !== 'open' && other.state !== 'abandoned');
  const isNewest = one.id === newestSealed?.id;
  const isNewestComplete = one.id === newestComplete?.id;
  return [
    ...(one.state === 'open' ? ['its walk is under way'] : []),
    ...(one.pinned === null ? [] : [`it is pinned: ${one.pinned}`]),
    ...(one.telling === true ? ['it tells of a deleted space that can still be undeleted'] : []),
    ...(isNewest && !isNewestComplete ? ['it is the newest one'] : []),
    ...(isNewestComplete ? ['it is the newest complete one'] : []),
    ...(one.state === 'abandoned' ? [] : notFollowed(one, complete)),
    // What it saw is in no sealed one yet, and its number would be given to the next walk, which would take all that for its own.
    ...(one.state === 'abandoned' && one.id > (newestSealed?.id ?? 0) ? ['no sealed one has followed it yet'] : []),
  ];
}

/** One of everything holds what a limited walk did not ask for, so only a complete one of everything takes its place. */
function notFollowed(one: RetentionCandidate, complete: readonly RetentionCandidate[]): string[] {
  const follows = ({ id }: RetentionCandidate): boolean => id >= one.id;
  if (!complete.some(follows)) return ['no complete one has followed it yet'];
  return isOfAll(one) && !complete.some((other) => follows(other) && isOfAll(other))
    ? ['no complete one of everything has followed it yet']
    : [];
}

export function keptReasons({ said, unfilled }: Grounds): string[] {
  const spans = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(unfilled);
  return [
    ...said,
    ...(unfilled.size === 0
      ? []
      : [`it is the oldest complete one, and the policy keeps ${spans}, more than there are`]),
  ];
}

/** Who stands for a span of time that the snapshot is of; null where nobody does. */
export interface Stand {
  readonly span: Span;
  readonly id: number;
}

export const LEAPING =
  'it is dated long after all before it, as by a clock that runs ahead, and fewer than thirty walks have followed';
export const LIMITED = 'its walk was limited, and a complete one of everything has followed it';

export function droppedReason(one: RetentionCandidate, stand: Stand | null, policy: RetentionPolicy): string {
  if (one.state === 'abandoned') return 'its walk was given up, and a sealed one has followed it';
  if (!isCounting(one)) return `it is ${one.state}, and a complete one has followed it`;
  if (stand !== null) return `snapshot ${stand.id} is kept for the same ${stand.span}`;
  return `it is none of those that the policy keeps: ${policyWords(policy)}`;
}

function policyWords({ last, daily, weekly, monthly, yearly }: RetentionPolicy): string {
  const spans = [
    [daily, 'day'],
    [weekly, 'week'],
    [monthly, 'month'],
    [yearly, 'year'],
  ] as const;
  const words = [
    ...(last === 0 ? [] : [last === 1 ? 'the newest' : `the newest ${last}`]),
    ...spans.flatMap(([number, span]) => (number === 0 ? [] : [`the last one of ${newest(number, span)}`])),
  ];
  return words.length === 0 ? 'the newest alone' : new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(words);
}

function newest(number: number, span: Span): string {
  return number === 1 ? `the newest ${span}` : `each of the newest ${count(number, span)}`;
}
