// What a person said of a snapshot: that the mass change it shows is meant, or that what it lacks is known. A partial one stays partial,
// and names what it lacks; it is taken for good all the same, and so is each later one that lacks nothing else.
import { isoTime, type ErrorCode } from '../../base/index.ts';
import { childKinds, kindNames } from '../../contract/index.ts';
import { countsOf } from '../observe/counts.ts';
import type { Mirror, OpenSnapshot } from '../database/database.ts';
import type { SnapshotState } from '../database/tables.ts';
import type { FailedPlace } from '../observe/failures.ts';
import { isMoreThanOneRefused } from '../observe/refused.ts';
import { CONTAINERS, listShrunk } from '../observe/shrunk.ts';
import {
  askForCopy,
  isAskedAndRefused,
  isRefusedWhole,
  isSpaceRefused,
  lackingIn,
  originalOf,
  outOfReach,
  type Lacking,
} from './lacking.ts';
import { SEALED } from './sealed-states.ts';

/** A snapshot that a person accepted, and why. */
export interface Accepted {
  readonly snapshot: number;
  readonly reason: string;
  /** When a person said so: of a later snapshot, which lacks nothing else, the same time. */
  readonly at: string;
}

/** Lets a person say that what a snapshot shows is meant, or what it lacks known: later ones are measured by it. Its own state stays. */
export function acceptSnapshot(mirror: Mirror, snapshot: number, reason: string): void {
  note(mirror, { snapshot, reason, at: isoTime(mirror.clock.now()) });
}

/** Takes back what a person said of a snapshot, and so of those that lack nothing else; false when nobody did. */
export function withdrawAccepted(mirror: Mirror, snapshot: number): boolean {
  const sql = 'delete from accepted where (reason, at) = (select reason, at from accepted where snapshot = ?)';
  const was = mirror.store.prepare(sql).run(snapshot).changes > 0;
  const last = lastSealedNumber(mirror);
  // Change requests that were merged since have copies of it, too.
  if (was && last !== null) for (const one of lackingIn(mirror, last)) askForCopy(mirror, one);
  return was;
}

/** Tells what the last snapshot lacks for the same reason, as a person accepted, or of which it is a copy. */
export function acceptedLack(mirror: Mirror): (one: Lacking) => boolean {
  const last = lastSealedNumber(mirror);
  if (last === null || !isAccepted(mirror, last)) return () => false;
  const lacked = new Set(lackingIn(mirror, last).map(whatLacks));
  return (one) => namesOf(one).some((name) => lacked.has(whatLacks(name)));
}

function lastSealedNumber({ store }: Mirror): number | null {
  return (
    store.prepare<{ id: number | null }>(`select max(id) as id from snapshots where state in ${SEALED}`).get()?.id ??
    null
  );
}

function note({ store }: Mirror, { snapshot, reason, at }: Accepted): void {
  store.prepare('insert or replace into accepted (snapshot, reason, at) values (?, ?, ?)').run(snapshot, reason, at);
}

/** What a person said of a snapshot, or of one before it that lacks the same; null when nobody did. */
export function acceptedOf({ store }: Mirror, snapshot: number): Accepted | null {
  return store.prepare<Accepted>('select snapshot, reason, at from accepted where snapshot = ?').get(snapshot) ?? null;
}

/** True for a snapshot that a person accepted, or that lacks nothing but what was accepted before. */
export function isAccepted(mirror: Mirror, snapshot: number): boolean {
  return acceptedOf(mirror, snapshot) !== null;
}

/** By number. */
export function listAccepted(mirror: Mirror): Accepted[] {
  return mirror.store.prepare<Accepted>('select snapshot, reason, at from accepted order by snapshot').all();
}

/** True for one that is complete, or lacks nothing but what a person accepted: such a one is shown, exported and rehearsed. */
export function isSound(
  mirror: Mirror,
  { id, state }: { readonly id: number; readonly state: SnapshotState },
): boolean {
  return state === 'complete' || (state === 'partial' && isAccepted(mirror, id));
}

/** The same as SQL, of the table `snapshots`. */
export const SOUND = `(state = 'complete' or (state = 'partial' and id in (select snapshot from accepted)))`;

/** Why a person cannot accept what a partial snapshot lacks. */
export type Unacceptable = 'of the moment' | 'lost' | 'refused' | 'content refused' | 'all refused' | 'many';

/** More than these nobody looks at one by one. */
export const MOST_ACCEPTED = 100;

// A platform that cannot be reached, and a walk that was told to end, say nothing about what was to be read.
const OF_THE_MOMENT: readonly string[] = ['DM_UNREACHABLE', 'DM_INCOMPLETE'] satisfies ErrorCode[];

/** Why what a partial snapshot lacks cannot be accepted; null where it is a few things of which each was asked for, and failed. */
export function unacceptable(mirror: Mirror, snapshot: number): Unacceptable | null {
  const why = unacceptableByName(mirror, snapshot);
  return why === null && isSpaceRefused(mirror, lackingIn(mirror, snapshot)) ? 'all refused' : why;
}

/** The same where each thing was named before. */
function unacceptableByName(mirror: Mirror, snapshot: number): Unacceptable | null {
  const lacking = lackingIn(mirror, snapshot);
  if (lacking.some(({ code }) => OF_THE_MOMENT.includes(code))) return 'of the moment';
  // What the token may not read is a matter of its rights, but for a single thing that it is refused by its own id.
  if (isMoreThanOneRefused(mirror, snapshot)) return 'refused';
  if (lacking.some(isRefusedWhole)) return 'content refused';
  if (lacksMoreThanNamed(mirror, snapshot)) return 'lost';
  return new Set(lacking.map(ownId)).size > MOST_ACCEPTED ? 'many' : null;
}

/** By its own id alone: a file whose bytes are lost is lacking from the copy of each change request as well. */
function ownId({ resource }: FailedPlace): string {
  return resource.slice(resource.lastIndexOf('/') + 1);
}

function lacksMoreThanNamed(mirror: Mirror, snapshot: number): boolean {
  const isMissing = Object.values(countsOf(mirror, snapshot)).some(({ missing }) => missing > 0);
  return isMissing || listShrunk(mirror).length > 0 || !outOfReach(mirror, snapshot).every(isAskedAndRefused);
}

const BASE = `select a.snapshot, a.reason, a.at from accepted a join snapshots s on s.id = a.snapshot
  where s.state = 'partial' and a.snapshot < ? order by a.snapshot desc limit 1`;
const BETWEEN = `select id from snapshots where id > ? and id < ? and state in ${SEALED}`;

/** Takes a partial snapshot for accepted where it lacks nothing but what was accepted, and never read since. Call as it is sealed. */
export function carryAccepted({ mirror, id: snapshot }: OpenSnapshot): void {
  const before = lackAccepted(mirror, snapshot);
  if (before !== null && unacceptableByName(mirror, snapshot) === null) note(mirror, { ...before, snapshot });
}

/** What was said before of all that a snapshot lacks by name; null where something was not accepted, or was read since. */
export function lackAccepted(mirror: Mirror, snapshot: number): Accepted | null {
  const base = mirror.store.prepare<Accepted>(BASE).get(snapshot);
  if (base === undefined) return null;
  const known = new Set(lackingIn(mirror, base.snapshot).map(whatLacks));
  const accepted = lackingIn(mirror, snapshot).map((one) => namesOf(one).find((name) => known.has(whatLacks(name))));
  if (!accepted.every((one) => one !== undefined)) return null;
  const nights = mirror.store.prepare<{ id: number }>(BETWEEN).all(base.snapshot, snapshot);
  return nights.every(({ id }) => accepted.every(unreadThen(mirror, id))) ? base : null;
}

/** Its own, and that of the page or file in its space of which it is a copy: each change request has copies of all of them. */
function namesOf(one: Lacking): Lacking[] {
  const original = originalOf(one);
  return original === null ? [one] : [one, { ...original, code: one.code }];
}

// What a platform answers so today it may answer otherwise tomorrow, for the same reason.
const WITHOUT_ANSWER: readonly string[] = ['DM_HTTP_STATUS', 'DM_TIMEOUT', 'DM_NOT_JSON'] satisfies ErrorCode[];

/** An answer that cannot be believed, such as a text that is empty of a sudden, is another failure than none. */
function whatLacks({ code, ...place }: Lacking): string {
  return `${nameOf(place)} ${WITHOUT_ANSWER.includes(code) ? '' : code}`;
}

const ABOVE_OTHERS: ReadonlySet<string> = new Set(kindNames.filter((kind) => childKinds(kind).length > 0));

/** Tells what was not read in a snapshot: it failed, or was not asked for since what it lies below failed. What was read and fails again is another failure. */
function unreadThen(mirror: Mirror, snapshot: number): (place: FailedPlace) => boolean {
  const lacking = lackingIn(mirror, snapshot);
  if (lacking.some(({ kind, code }) => CONTAINERS.has(kind) || OF_THE_MOMENT.includes(code))) return () => true;
  const unread = new Set(lacking.map(nameOf));
  const above = new Set(lacking.filter(({ kind }) => ABOVE_OTHERS.has(kind)).map(({ resource }) => resource));
  return (place) => unread.has(nameOf(place)) || keysAbove(place.resource).some((key) => above.has(key));
}

function nameOf({ kind, resource }: FailedPlace): string {
  return `${kind} ${resource}`;
}

/** A key, and those of which it is made. */
function keysAbove(key: string): string[] {
  const parts = key.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
