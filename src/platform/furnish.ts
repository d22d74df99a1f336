import { OWNER_EMAIL, type PlatformPeople } from './people.ts';

/** An organization with its people, as guests, and without content. */
export interface OrganizationWanted {
  readonly title: string;
  readonly people: readonly { readonly displayName: string; readonly email: string }[];
}

/** Makes it and answers its id; whoever is there already, as the owner, is not invited twice. */
export function furnish(
  platform: Pick<PlatformPeople, 'createOrganization' | 'createUser'>,
  wanted: OrganizationWanted,
): string {
  const organization = platform.createOrganization({ title: wanted.title });
  const there = new Set([OWNER_EMAIL]);
  for (const person of wanted.people) {
    if (there.has(person.email)) continue;
    there.add(person.email);
    platform.createUser({ ...person, organization, role: null });
  }
  return organization;
}
