// What a plan in place says of what it leaves as it is: a plan that says nothing of that looks as if all would be as it was.
import { count, isRecord, few } from '../../base/index.ts';
import { kindOf, type KindName, isKindName } from '../../contract/index.ts';
import { MISSED_KINDS, isRestored } from '../restored-kinds.ts';
import {
  type Resource,
  outOfReach,
  type SnapshotReader,
  sealedBefore,
  warningOf,
  type Snapshot,
} from '../../mirror/index.ts';
import type { PreflightCheck } from '../types.ts';
import type { Divergence } from './divergence.ts';
import type { InPlaceInput } from './input.ts';
import { valuesLeft, type Was } from './value-mends.ts';
import { kindWords, nameInWords, spaceOf } from '../resource.ts';
import type { Selection } from '../selection/selection.ts';
import { snapshotTime } from '../plan/demand-asked.ts';

// What people miss, what they see at once, and what lets others in.
const NAMED = [...MISSED_KINDS, 'site-section', 'share-link', 'saml-provider'] as const satisfies readonly KindName[];
const GOING = NAMED.filter((kind) => kind === 'page' || kindOf(kind).remove !== undefined);
// No operation takes these away.
const LASTING: readonly KindName[] = ['site-adaptive-schema'];

/** How much stands that the snapshot does not have, and how it is taken away; nothing where the plan takes it away. */
export function addedSince(
  { choices, undoes }: Pick<InPlaceInput, 'choices' | 'undoes'>,
  { added }: Pick<Divergence, 'added'>,
  was: Was,
): PreflightCheck[] {
  return choices.added || undoes !== undefined ? [] : [...things(added), ...valuesLeft(added, was)];
}

function things(added: readonly Resource[]): PreflightCheck[] {
  const spaces = new Set(added.filter(({ kind }) => kind === 'space').map(({ key }) => key));
  const apart = added.filter(
    (one) => one.kind === 'space' || !(spaces.has(spaceOf(one)) || isRecord(one.body['computed'])),
  );
  const told = (kinds: readonly KindName[], why: string): PreflightCheck[] => {
    const numbers = numbersOf(apart, kinds);
    if (numbers.length === 0) return [];
    const detail = `${numbers.join(', ')} that the snapshot does not have: left; ${why}`;
    return [{ check: 'added since', state: 'ok', detail }];
  };
  return [
    ...told(GOING, 'with `--delete` the plan takes them away'),
    ...told(LASTING, 'no operation takes one away, so `--delete` leaves it, too'),
  ];
}

function numbersOf(added: readonly Resource[], kinds: readonly KindName[]): string[] {
  return kinds.flatMap((kind) => {
    const found = added.filter((one) => one.kind === kind).length;
    return found === 0 ? [] : [count(found, kindWords(kind))];
  });
}

const SHOWN = 5;

/** Names what stands for what the snapshot has, and how it is set back; nothing where nothing is to be. */
export function madeAnew(
  { choices, undoes }: Pick<InPlaceInput, 'choices' | 'undoes'>,
  { standIns }: Pick<Divergence, 'standIns'>,
): PreflightCheck[] {
  const missed = standIns.filter(({ kind }) => MISSED_KINDS.includes(kind));
  if (!choices.changed || undoes !== undefined || missed.length === 0) return [];
  const detail = `${few(missed.map(nameInWords), SHOWN)}: left as what stands for it is by now; to set that back, plan with a snapshot of after it was made anew`;
  return [{ check: 'made anew before', state: 'ok', detail }];
}

const MOST_NAMED = 6;

interface Asked {
  readonly reader: SnapshotReader;
  readonly selection: Selection;
}

/** What was asked for and the token does not reach: a space in a bin that is refused to it is such, too. */
export function outOfReachCheck(
  { mirror, live, undoes }: InPlaceInput,
  { reader, selection }: Asked,
): PreflightCheck[] {
  const away = outOfReach(mirror, live).flatMap(({ kind, resource }) => {
    const one = isKindName(kind) && isRestored(kind) ? reader.one(kind, resource) : undefined;
    const isMeant = one !== undefined && selection.meant(one) && (undoes?.touched(one) ?? true);
    return isMeant ? [one] : [];
  });
  const spaces = new Set(away.filter(({ kind }) => kind === 'space').map(({ key }) => key));
  const topmost = away.filter((one) => one.kind === 'space' || !spaces.has(spaceOf(one)));
  if (topmost.length === 0) return [];
  const names = topmost.map((one) => `${nameInWords(one)} (${one.id})`);
  const detail = `${few(names, MOST_NAMED)}: the token does not reach that any more, be it there, in the bin or gone; it is left as it is. Plan with a token that reaches it`;
  return [{ check: 'out of reach', state: 'warn', detail }];
}

/** What one of the two sides could not be read for. */
export function untoldCheck({ untold }: Pick<Divergence, 'untold'>): PreflightCheck[] {
  if (untold.length === 0) return [];
  const why = 'one of the two sides could not be read there, or is refused to the token';
  const detail = `${few(untold.map(nameInWords), MOST_NAMED)}: ${why}; nothing is made or taken away`;
  return [{ check: 'what is not known', state: 'warn', detail }];
}

type LiveRead = Pick<Snapshot, 'id' | 'state' | 'reason' | 'scope'>;

/** The snapshots of an archive have numbers that mean nothing to people, who know those of the mirror. */
export function liveCheck(input: InPlaceInput, { id, state, reason, scope }: LiveRead): PreflightCheck {
  const check = 'live state';
  const isArchived = input.archive !== undefined;
  const others = isArchived || scope === null ? NO_OTHERS : othersOf(input, id);
  if (state !== 'partial') {
    const detail = isArchived ? 'read just now' : `read just now, as snapshot ${id}${others.said}`;
    return { check, state: others.isWhole ? 'ok' : 'warn', detail };
  }
  const what = isArchived ? 'what was read just now' : `snapshot ${id}`;
  return {
    check,
    state: 'warn',
    detail:
      `${what} is partial: ${reason ?? 'not all of it was read'}; that is taken as it was before. What a listing lacked ` +
      `for the first time counts as gone when a second plan finds it lacking too: plan again${others.said}`,
  };
}

interface Others {
  readonly said: string;
  /** False where the walk that read them was not. */
  readonly isWhole: boolean;
}

const NO_OTHERS: Others = { said: '', isWhole: true };

/** Where only the spaces that matter were read. */
function othersOf({ mirror, undoes }: Pick<InPlaceInput, 'mirror' | 'undoes'>, id: number): Others {
  const last = sealedBefore(mirror, id).findLast((one) => one.scope === null);
  const isWhole = last === undefined || warningOf(mirror, last) === null;
  const doubt = isWhole ? '' : `, which is ${last.state}${last.reason === null ? '' : `: ${last.reason}`}`;
  const since = last === undefined ? 'mirrored before' : `in snapshot ${last.id} of ${snapshotTime(last)}${doubt}`;
  const more = undoes === undefined ? '; --full reads it too' : '';
  const said = `. Only the spaces that it is about were read; all else is as it was ${since}${more}`;
  return { said, isWhole };
}
