// Who of the snapshot is who on the target: as a file says, else by e-mail address, and never by a guess.
import { AppError, groupBy, isRecord } from '../../base/index.ts';
import type { Member } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { textAt, titleOf } from '../resource.ts';

/** What a person says about people: ids or e-mail addresses of the snapshot's members to those of the target's. */
export interface PeopleChoice {
  readonly entries: Readonly<Record<string, string>>;
  /** Stands for everybody whom nobody on the target is known to be. */
  readonly standIn: string | null;
  /** What was said of them before, ids to ids: it counts for whom the entries do not name. */
  readonly known?: Known;
}

/** Users of the target by those of the snapshot. */
type Known = ReadonlyMap<string, string | undefined>;

export const NO_CHOICE: PeopleChoice = { entries: {}, standIn: null };

export interface PeopleMap {
  /** Ids of users of the snapshot to ids of users of the target. */
  readonly people: Readonly<Record<string, string>>;
  /** Id of the user of the target who stands in teams for those who are not there; takes no role for them. */
  readonly standIn: string | null;
  /** Names of members of the snapshot whom nobody on the target is known to be. */
  readonly strangers: readonly string[];
}

/** An address that two members of a side share maps nobody. Throws DM_USAGE for a choice that names nobody, or one person twice. */
export function mapPeople(originals: Iterable<Resource>, members: readonly Member[], choice: PeopleChoice): PeopleMap {
  const all = [...originals];
  const chosen = chosenPeople(all, members, choice);
  const standIn = choice.standIn === null ? null : memberNamed(members, choice.standIn, 'default').id;
  addKnown(chosen, members, choice.known ?? new Map());
  const others = all.filter(({ id }) => !chosen.has(id));
  const byMail = mappedByMail(others, members, new Set(chosen.values()));
  const people = { ...Object.fromEntries(byMail), ...Object.fromEntries(chosen) };
  return { people, standIn, strangers: others.filter(({ id }) => !byMail.has(id)).map(titleOf) };
}

/** What people call a user of the target; the id where no member has it. */
export function memberName(members: readonly Member[], id: string): string {
  const member = members.find((one) => one.id === id);
  return member ? titleOf({ id, body: { ...member } }) : id;
}

/** Nobody is two people: whoever was given away since is nobody's any more. */
function addKnown(chosen: Map<string, string>, members: readonly Member[], known: Known): void {
  const free = new Set(members.map(({ id }) => id));
  for (const id of chosen.values()) free.delete(id);
  for (const [user, id] of known) if (id !== undefined && !chosen.has(user) && free.delete(id)) chosen.set(user, id);
}

/** @param taken Users of the target who are somebody already. */
function mappedByMail(
  originals: readonly Resource[],
  members: readonly Member[],
  taken: ReadonlySet<string>,
): Map<string, string> {
  const there = groupBy(members, ({ user }) => mailOf(user));
  const map = new Map<string, string>();
  for (const [mail, [original, ...twins]] of groupBy(originals, ({ body }) => mailOf(body['user']))) {
    const [member, ...others] = mail === undefined ? [] : (there.get(mail) ?? []);
    if (!original || !member || twins.length + others.length > 0 || taken.has(member.id)) continue;
    map.set(original.id, member.id);
  }
  return map;
}

function chosenPeople(
  originals: readonly Resource[],
  members: readonly Member[],
  { entries }: PeopleChoice,
): Map<string, string> {
  const map = new Map<string, string>();
  const taken = new Map<string, string>();
  for (const [name, to] of Object.entries(entries)) {
    const found = originals.filter(({ id, body }) => id === name || mailOf(body['user']) === name.trim().toLowerCase());
    const [original] = found;
    if (!original || found.length > 1) throw wrong(name, found.length, 'the snapshot');
    const { id } = memberNamed(members, to, name);
    const other = taken.get(id);
    if (map.has(original.id) || other !== undefined)
      throw new AppError('DM_USAGE', `The file of people names ${map.has(original.id) ? name : to} twice`, {
        hint: 'Each person is one person. For those who left there is "default: WHO".',
      });
    map.set(original.id, id);
    taken.set(id, name);
  }
  return map;
}

/** A member of the target by id or e-mail address. */
function memberNamed(members: readonly Member[], to: string, name: string): Member {
  const found = members.filter(({ id, user }) => id === to || mailOf(user) === to.trim().toLowerCase());
  const [member] = found;
  if (!member || found.length > 1) throw wrong(`${to} (for ${name})`, found.length, 'the target');
  return member;
}

function wrong(name: string, found: number, side: string): AppError {
  const what = `The file of people names ${name}: ${found === 0 ? 'no member' : `${found} members`} of ${side}; expected one`;
  return new AppError('DM_USAGE', what, {
    hint: 'Entries are "ID or e-mail address in the snapshot: ID or e-mail address on the target". Nothing was written.',
  });
}

function mailOf(user: unknown): string | undefined {
  return isRecord(user) ? textAt(user, 'email')?.trim().toLowerCase() : undefined;
}
