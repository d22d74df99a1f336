import type { PlatformContext } from '../context.ts';
import type { TeamMemberRow, TeamRow } from './tables.ts';

type Store = Pick<PlatformContext, 'db'>;

/** A membership by what identifies it. */
export type TeamMember = Pick<TeamMemberRow, 'team' | 'user'>;

/** A team of the organization; undefined when it has no such. */
export function teamOf(context: Store, organization: string, id: string): TeamRow | undefined {
  return context.db.prepare<TeamRow>('select * from teams where organization = ? and id = ?').get(organization, id);
}

export function countTeamMembers(context: Store, team: string): number {
  const found = context.db.prepare<{ n: number }>('select count(*) as n from team_members where team = ?').get(team);
  return found?.n ?? 0;
}

/** Teams of the organization that the user belongs to. */
export function countTeamsOf(context: Store, organization: string, user: string): number {
  const found = context.db
    .prepare<{ n: number }>(
      'select count(*) as n from team_members m join teams t on t.id = m.team where m.user = ? and t.organization = ?',
    )
    .get(user, organization);
  return found?.n ?? 0;
}

/** The role inside the team; undefined for who is not in it. */
export function teamRole(context: Store, { team, user }: TeamMember): TeamMemberRow['role'] | undefined {
  return context.db
    .prepare<Pick<TeamMemberRow, 'role'>>('select role from team_members where team = ? and user = ?')
    .get(team, user)?.role;
}

export function saveTeamMember(context: Store, { team, user }: TeamMember, role: TeamMemberRow['role']): void {
  context.db
    .prepare(
      'insert into team_members (team, user, role) values (?, ?, ?) on conflict do update set role = excluded.role',
    )
    .run(team, user, role);
}

export function deleteTeamMember(context: Store, { team, user }: TeamMember): void {
  context.db.prepare('delete from team_members where team = ? and user = ?').run(team, user);
}
