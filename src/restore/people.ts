// Who of the snapshot is who on the target: by e-mail address, and never by a guess.
import { isRecord } from '../base/index.ts';
import type { Member } from '../contract/index.ts';
import type { Resource } from '../mirror/index.ts';
import { textAt, titleOf } from './resource.ts';

export interface PeopleMap {
  /** Ids of users of the snapshot to ids of users of the target. */
  readonly people: Readonly<Record<string, string>>;
  /** Names of members of the snapshot whom nobody on the target is known to be. */
  readonly strangers: readonly string[];
}

/** An address that two members of a side share maps nobody. */
export function mapPeople(originals: Iterable<Resource>, members: readonly Member[]): PeopleMap {
  const byMail = new Map<string, string[]>();
  for (const { id, user } of members) {
    const mail = mailOf(user);
    if (mail !== undefined) byMail.set(mail, [...(byMail.get(mail) ?? []), id]);
  }
  const taken = new Map<string, Resource>();
  const people: Record<string, string> = {};
  const strangers: string[] = [];
  for (const original of originals) {
    const found = byMail.get(mailOf(original.body['user']) ?? '') ?? [];
    const [id] = found;
    const known = id === undefined || found.length > 1 ? undefined : id;
    const other = known === undefined ? undefined : taken.get(known);
    if (known !== undefined && other === undefined) {
      taken.set(known, original);
      people[original.id] = known;
      continue;
    }
    strangers.push(titleOf(original));
    if (other !== undefined && people[other.id] !== undefined) {
      strangers.push(titleOf(other));
      delete people[other.id];
    }
  }
  return { people, strangers };
}

function mailOf(user: unknown): string | undefined {
  return isRecord(user) ? textAt(user, 'email')?.trim().toLowerCase() : undefined;
}
