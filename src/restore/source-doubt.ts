// A restore brings back no more than its snapshot holds: what that could not read is told before the first write, and after the last.
import { few, plural } from '../base/index.ts';
import { isComment, isKindName, kindOf, parentKind, type KindName } from '../contract/index.ts';
import {
  failuresOf,
  outOfReach,
  refusedIn,
  refusedWords,
  snapshotById,
  warningOf,
  type Mirror,
  type SnapshotReader,
} from '../mirror/index.ts';
import { kindWords, titleOf } from './resource.ts';
import { OWN_KINDS } from './restored-kinds.ts';
import type { Selection } from './selection/selection.ts';
import type { Plan, PreflightCheck } from './types.ts';

interface Source {
  readonly snapshot: number;
  /** Folder of the archive, when that is not the mirror: nobody knows the numbers of its snapshots. */
  readonly archive?: Plan['archive'] | undefined;
}

/** Why a snapshot may lack what stood there, in words; null for one that has all, but for a mass change that a person accepted. */
export function sourceDoubt(mirror: Mirror, { snapshot, archive = null }: Source): string | null {
  const { state, reason } = snapshotById(mirror, snapshot);
  const what = archive === null ? `snapshot ${snapshot}` : 'what was read before the first write';
  if (!isGood(mirror, { snapshot })) return `${what} is ${state}${reason === null ? '' : `: ${reason}`}`;
  const refused = refusedIn(mirror, snapshot);
  const lacks = [
    ...(lacksByName(mirror, snapshot) ? [`what could not be read, as was accepted: ${reason ?? ''}`] : []),
    ...(refused.length === 0 ? [] : [`what is refused to the token: ${refusedWords(refused)}`]),
  ];
  return lacks.length === 0 ? null : `${what} lacks ${lacks.join('; and ')}`;
}

function lacksByName(mirror: Mirror, snapshot: number): boolean {
  return failuresOf(mirror, snapshot).length + outOfReach(mirror, snapshot).length > 0;
}

interface Within {
  readonly reader: SnapshotReader;
  readonly selection: Selection;
}

/** One line of the table before the first write, with what of all that is asked for could not be read. */
export function sourceChecks(mirror: Mirror, source: Source, within: Within): PreflightCheck[] {
  const doubt = sourceDoubt(mirror, source);
  if (doubt === null) return [];
  const unread = unreadWithin(mirror, within);
  // What was accepted elsewhere is no matter of this restore.
  if (unread.length === 0 && isGood(mirror, source)) return [];
  const known = unread.length === 0 ? '' : `; of what is asked for, that is ${few(unread, SHOWN)}`;
  const detail = `${doubt}. What was not read comes back as it was read before, or not at all${known}`;
  return [{ check: 'the snapshot', state: 'warn', detail }];
}

/** True where nothing is to be told of it but what a person accepted. */
function isGood(mirror: Mirror, { snapshot }: Source): boolean {
  return warningOf(mirror, snapshotById(mirror, snapshot)) === null;
}

const SHOWN = 6;

function unreadWithin(mirror: Mirror, { reader, selection }: Within): string[] {
  const at = reader.snapshot;
  const lacking = [...failuresOf(mirror, at), ...outOfReach(mirror, at), ...refusedIn(mirror, at)];
  const names = lacking.flatMap(({ kind, resource }) => {
    if (!isKindName(kind)) return [];
    const key = resource.replace(/\/?\*$/, '');
    return isWithin(selection, kind, key) ? [nameOf(reader, kind, key)] : [];
  });
  return [...new Set(names)];
}

function isWithin(selection: Selection, kind: KindName, key: string): boolean {
  if (!isAskedFor(selection.parts, kind)) return false;
  const steps = key.split('/');
  // What of a kind could not be read may seem to be nowhere: what may hold some of it does not come back then.
  const maySeem: Selection['wasLookedIn'] = (own, above) =>
    selection.wasLookedIn(own, above) && selection.scope.by === 'kind' && kind === selection.scope.kind;
  if (selection.whole && (key === '' || steps[0] === selection.organization)) return true;
  return steps.some((_, i) => {
    const above = steps.slice(0, i + 1).join('/');
    return OWN_KINDS.some(
      (own) => kindOf(own).params.length === i + 1 && (selection.has(own, above) || maySeem(own, above)),
    );
  });
}

function isAskedFor(parts: Selection['parts'], kind: KindName): boolean {
  if (!kind.startsWith('change-request')) return parts.comments || !isComment(kind);
  return isComment(kind) ? parts.requestComments : parts.changeRequests;
}

/** `page Install`, `file F1 of Handbook` where it never was read, or `comments of Handbook` where they could not be listed. */
function nameOf(reader: SnapshotReader, kind: KindName, key: string): string {
  const own = reader.one(kind, key);
  const word = kindWords(kind);
  if (own !== undefined) return `${word} ${titleOf(own)}`;
  const { id, params } = kindOf(kind);
  const steps = key.split('/');
  const isOne = id !== null && steps.length === params.length;
  const above = titleAbove(reader, kind, isOne ? steps.slice(0, -1).join('/') : key);
  return isOne ? `${word} ${steps.at(-1)} of ${above}` : `${plural(word)} of ${above}`;
}

/** The title of the nearest that stands above and has one: a revision has none of its own. */
function titleAbove(reader: SnapshotReader, kind: KindName, key: string): string {
  for (let at = parentKind(kind); at !== null; at = parentKind(at)) {
    const above = kindOf(at).id === null ? undefined : reader.one(at, key);
    if (above !== undefined) return titleOf(above);
  }
  return key;
}
