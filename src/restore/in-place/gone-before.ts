// A plan from the newest snapshot brings back nothing that this snapshot has recorded as gone: who asks for it the morning after a
// disaster means an earlier one, and is told which.
import { AppError, count, few, shellWord } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import {
  diffSnapshots,
  readerAt,
  sealedBefore,
  type Resource,
  type Snapshot,
  type SnapshotReader,
} from '../../mirror/index.ts';
import { snapshotTime } from '../plan/demand-asked.ts';
import { askedFor, selectionOf } from '../plan.ts';
import { kindWords } from '../resource.ts';
import { MISSED_KINDS } from '../restored-kinds.ts';
import type { PlanStep, PreflightCheck } from '../types.ts';
import type { Heirs } from './heirs.ts';
import type { InPlaceInput } from './input.ts';

/** How many of the last snapshots are looked through where the plan has nothing to do. */
const MOST_NIGHTS = 30;
const SHOWN = 3;

interface Beside {
  readonly live: SnapshotReader;
  readonly heirs: Heirs;
  readonly steps: readonly PlanStep[];
}

interface Gone {
  readonly kind: KindName;
  readonly label: string;
}

/** Said where the newest snapshot was asked for and has recorded that something went, or an earlier one has and there is nothing to do. */
export function goneBefore(input: InPlaceInput, beside: Beside): PreflightCheck[] {
  const { mirror, snapshot } = input;
  if (input.undoes !== undefined || input.archive !== undefined) return [];
  const sealed = sealedBefore(mirror, input.live);
  if (sealed.at(-1)?.id !== snapshot) return [];
  const isIdle = beside.steps.every(({ part }) => part === 'none');
  const nights = sealed.slice(-(1 + (isIdle ? MOST_NIGHTS : 1))).toReversed();
  for (const [i, night] of nights.entries()) {
    const before = nights[i + 1];
    const gone = before ? goneIn(input, beside, [before, night]) : [];
    if (before && gone.length > 0) return [said(input, { gone, night, before })];
  }
  return [];
}

/** What was asked for, stood in the one, did not in the other and has not come back since, under another id either. */
function goneIn(input: InPlaceInput, { live, heirs }: Beside, [before, night]: [Snapshot, Snapshot]): Gone[] {
  const { mirror } = input;
  const reader = readerAt(mirror, before.id);
  const isMeant = meantIn(input, reader);
  return MISSED_KINDS.flatMap((kind) =>
    [...diffSnapshots(mirror, [before.id, night.id], { kind })].flatMap(({ key, change, label }) => {
      if (change !== 'removed' || live.one(kind, key) !== undefined) return [];
      const one = reader.one(kind, key);
      return one !== undefined && isMeant(one) && heirs.of(one) === undefined ? [{ kind, label }] : [];
    }),
  );
}

/** The same scope in an earlier snapshot, which may have had nothing of it. */
function meantIn(input: InPlaceInput, reader: SnapshotReader): (resource: Resource) => boolean {
  try {
    const selection = selectionOf(input, reader, askedFor(input, reader));
    return (resource) => selection.meant(resource);
  } catch (error) {
    if (error instanceof AppError && error.code === 'DM_USAGE') return () => false;
    throw error;
  }
}

interface Found {
  readonly gone: readonly Gone[];
  readonly night: Snapshot;
  readonly before: Snapshot;
}

function said(input: InPlaceInput, { gone, night, before }: Found): PreflightCheck {
  const kinds = MISSED_KINDS.map((kind) => [kind, gone.filter((one) => one.kind === kind).length] as const);
  const numbers = kinds.filter(([, found]) => found > 0).map(([kind, found]) => count(found, kindWords(kind)));
  const names = gone.map(({ kind, label }) => `${kind} ${label}`);
  const them = gone.length === 1 ? 'it' : 'them';
  return {
    check: 'gone before',
    state: 'warn',
    detail:
      `snapshot ${night.id} (${snapshotTime(night)}) recorded as gone: ${numbers.join(', ')} (${few(names, SHOWN)}); ` +
      `a plan from snapshot ${input.snapshot} does not bring ${them} back. ` +
      `Snapshot ${before.id} (${snapshotTime(before)}) was the last that had ${them}: \`${commandFor(input, before)}\``,
  };
}

/** The same plan from another snapshot. */
function commandFor(input: InPlaceInput, { id }: Snapshot): string {
  const { choices, scope, where, review, keepMentions, withoutComments } = input;
  const words = (['missing', 'changed'] as const).filter((word) => choices[word]);
  return [
    `docmirror restore plan --snapshot ${id}`,
    ...(scope === null ? [] : [`--scope ${shellWord(scope)}`]),
    ...(where === null ? [] : [`--where ${shellWord(where)}`]),
    words.length === 2 ? '--in-place' : `--in-place ${words.join(',') || 'new'}`,
    ...(choices.added ? ['--delete'] : []),
    ...(review ? ['--review'] : []),
    ...(keepMentions === true ? ['--keep-mentions'] : []),
    ...(withoutComments === true ? ['--without-comments'] : []),
    `--out restore-of-${id}.json`,
  ].join(' ');
}
