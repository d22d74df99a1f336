import type { Role } from '../../../contract/index.ts';
import type { SeedTarget, SeedUser } from '../target.ts';

/** The demo's team, by what each may do. Names are desks, because nobody real works here. */
export interface Team {
  creator: SeedUser;
  reviewer: SeedUser;
  editor: SeedUser;
  writer: SeedUser;
  commenter: SeedUser;
  reader: SeedUser;
}

const PEOPLE: readonly { key: keyof Team; displayName: string; role: Role }[] = [
  { key: 'creator', displayName: 'Documentation Desk', role: 'create' },
  { key: 'reviewer', displayName: 'Review Desk', role: 'review' },
  { key: 'editor', displayName: 'Release Desk', role: 'edit' },
  { key: 'writer', displayName: 'Night Shift', role: 'edit' },
  { key: 'commenter', displayName: 'Support Desk', role: 'comment' },
  { key: 'reader', displayName: 'Audit Desk', role: 'read' },
];

/** Adds six members with a role each to the organization. */
export async function addTeam(platform: SeedTarget, organization: string): Promise<Team> {
  const users: Partial<Record<keyof Team, SeedUser>> = {};
  for (const { key, displayName, role } of PEOPLE) {
    const email = `${displayName.toLowerCase().replaceAll(' ', '.')}@example.com`;
    users[key] = await platform.createUser({ displayName, email, organization, role });
  }
  return users as Team;
}
