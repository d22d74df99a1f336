import { isoTime } from '../../base/index.ts';
import { type Team, listPage, forbidden, invalid } from '../../contract/index.ts';
import type { Caller } from '../access/authorize.ts';
import { reaches } from '../access/roles.ts';
import type { PlatformContext } from '../context.ts';
import { deleteRow, findRow, rowPage } from '../store/plain-rows.ts';
import { countGrantedSpaces } from '../store/grants.ts';
import { memberOf } from '../store/people.ts';
import { countTeamMembers, saveTeamMember, teamRole } from '../store/teams.ts';
import type { TeamMemberRow, TeamRow } from '../store/tables.ts';
import { findMember } from './members.ts';
import type { Handlers } from './types.ts';

/** Who looks at a team. */
export type TeamViewer = Pick<Caller, 'user' | 'organizationRole'>;

export function showTeam(context: PlatformContext, row: TeamRow, viewer: TeamViewer): Team {
  return {
    object: 'team' as const,
    id: row.id,
    title: row.title,
    members: countTeamMembers(context, row.id),
    spaces: countGrantedSpaces(context, row.id),
    createdAt: row.created_at,
    permissions: { admin: manages(context, row, viewer), view: true },
  };
}

function manages(context: PlatformContext, team: TeamRow, { user, organizationRole }: TeamViewer): boolean {
  return reaches(organizationRole, 'admin') || teamRole(context, { team: team.id, user }) === 'owner';
}

export function findTeam(context: PlatformContext, organization: string, id: string): TeamRow {
  return findRow<TeamRow>(context, 'teams', { organization, key: id });
}

interface NewTeam {
  organization: string;
  title: string;
  members: readonly string[];
  creator: string;
}

function insertTeam(context: PlatformContext, team: NewTeam): string {
  const id = context.random.id();
  const { organization, title } = team;
  const created_at = isoTime(context.clock.now());
  context.db.run(context.db.sql.insertInto('teams').values({ id, organization, title, created_at }));
  for (const user of team.members) {
    if (!memberOf(context, organization, user)) throw invalid('members', `${user} is no member of the organization`);
    const role = user === team.creator ? ('owner' as const) : ('member' as const);
    saveTeamMember(context, { team: id, user }, role);
  }
  return id;
}

const HAS_TITLE = 'instr(fold(t.title), fold(@title)) > 0';
// Administrators of the organization can manage every team of it.
const IS_MANAGED = `(
  exists (select 1 from team_members m where m.team = t.id and m.user = @owner and m.role = 'owner')
  or exists (select 1 from members m where m.organization = t.organization and m.user = @owner and m.role = 'admin')
)`;

function managedTeam(context: PlatformContext, path: { organizationId: string; teamId: string }, caller: Caller) {
  const row = findTeam(context, path.organizationId, path.teamId);
  if (!manages(context, row, caller)) throw forbidden('Only its owners and administrators can change or delete a team');
  return row;
}

export const teamHandlers = {
  listTeams: (context, { path, query, caller }) => {
    const { title, owner } = query;
    const sql = [title === undefined ? '1' : HAS_TITLE, owner === undefined ? '1' : IS_MANAGED].join(' and ');
    const parameters = { ...(title === undefined ? {} : { title }), ...(owner === undefined ? {} : { owner }) };
    return rowPage<TeamRow, Team>(
      context,
      { table: 'teams', of: ['organization', path.organizationId], query, filter: { sql, parameters } },
      (row) => showTeam(context, row, caller),
    );
  },

  createTeam: (context, { path, body, caller }) => {
    const organization = path.organizationId;
    const { title, members = [] } = body;
    const id = insertTeam(context, { organization, title, members, creator: caller.user });
    return showTeam(context, findTeam(context, organization, id), caller);
  },

  getTeam: (context, { path, caller }) =>
    showTeam(context, findTeam(context, path.organizationId, path.teamId), caller),

  updateTeam: (context, { path, body, caller }) => {
    const row = managedTeam(context, path, caller);
    context.db.run(context.db.sql.updateTable('teams').set({ title: body.title }).where('id', '=', row.id));
    return showTeam(context, { ...row, title: body.title }, caller);
  },

  deleteTeam: (context, { path, caller }) => deleteRow(context, 'teams', managedTeam(context, path, caller).id),

  listMemberTeams: (context, { path, query, caller }) => {
    const { organization, user } = findMember(context, path);
    const from = `from team_members m join teams t on t.id = m.team
      where t.organization = @organization and m.user = @user and instr(fold(t.title), fold(@title)) > 0`;
    const bound = { organization, user, title: query.title ?? '' };
    return listPage(
      { list: ['listMemberTeams', organization, user], query },
      {
        count: () => context.db.prepare<{ n: number }>(`select count(*) as n ${from}`).get(bound)?.n ?? 0,
        rows: (after, limit) =>
          context.db
            .prepare<TeamRow & { seq: number } & Pick<TeamMemberRow, 'role'>>(
              `select t.*, m.role ${from} and t.seq > @after order by t.seq limit @limit`,
            )
            .all({ ...bound, after: Number(after?.[0] ?? 0), limit }),
        key: (row) => [row.seq],
        item: (row) => ({ team: showTeam(context, row, caller), member: { role: row.role } }),
      },
    );
  },
} satisfies Handlers;
