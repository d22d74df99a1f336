// Teams, rights on single spaces and collections, and languages: what the platform has and its API has no operation for.
import { type Role, invalid, notFound } from '../contract/index.ts';
import type { PlatformContext } from './context.ts';
import { deleteGrant, saveGrant, type Grant } from './store/grants.ts';
import { memberOf } from './store/people.ts';
import { deleteTeamMember, saveTeamMember } from './store/teams.ts';
import type { TeamRow } from './store/tables.ts';

export type GrantTarget = { space: string } | { collection: string };
export type GrantPrincipal = { user: string } | { team: string };

/** Every function throws an Error that says so when something it names does not exist or belongs to another organization. */
export interface PlatformRights {
  /** Adds a member of the organization to a team, or changes the role there; `member` when no role is given. */
  addTeamMember(membership: { team: string; user: string; role?: 'owner' | 'member' }): void;
  removeTeamMember(membership: { team: string; user: string }): void;
  /** Gives a member or a team a role on a space, or on a collection and everything in it, in place of an earlier one. */
  grant(grant: GrantTarget & GrantPrincipal & { role: Role }): void;
  revoke(grant: GrantTarget & GrantPrincipal): void;
  /** Sets the languages of translation settings. */
  setTranslationLanguages(settings: { id: string; languages: readonly string[] }): void;
}

export function makeRights(context: PlatformContext): PlatformRights {
  return {
    addTeamMember: ({ team, user, role = 'member' }) => {
      demandMember(context, findTeam(context, team).organization, user);
      saveTeamMember(context, { team, user }, role);
    },
    removeTeamMember: ({ team, user }) => deleteTeamMember(context, { team: findTeam(context, team).id, user }),
    grant: ({ role, ...names }) => saveGrant(context, grantOf(context, names), role),
    revoke: (names) => deleteGrant(context, grantOf(context, names)),
    setTranslationLanguages: ({ id, languages }) => {
      const changed = context.db
        .prepare('update translation_settings set languages = ? where id = ?')
        .run(JSON.stringify(languages), id);
      if (changed.changes === 0) throw notFound('Translation settings', id);
    },
  };
}

function grantOf(context: PlatformContext, names: GrantTarget & GrantPrincipal): Grant {
  const target = 'space' in names ? names.space : names.collection;
  const table = 'space' in names ? 'spaces' : 'collections';
  const found = context.db
    .prepare<{ organization: string }>(`select organization from ${table} where id = ?`)
    .get(target);
  if (!found) throw notFound('space' in names ? 'Space' : 'Collection', target);
  if ('user' in names) {
    demandMember(context, found.organization, names.user);
    return { target, principal: names.user };
  }
  const { id, organization } = findTeam(context, names.team);
  if (organization !== found.organization) throw invalid('team', `${id} belongs to another organization`);
  return { target, principal: id };
}

function demandMember(context: PlatformContext, organization: string, user: string): void {
  if (!memberOf(context, organization, user)) throw invalid('user', `${user} is no member of ${organization}`);
}

function findTeam(context: PlatformContext, id: string): TeamRow {
  const row = context.db.prepare<TeamRow>('select * from teams where id = ?').get(id);
  if (!row) throw notFound('Team', id);
  return row;
}
