import { isoTime } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { listPage } from '../paging.ts';
import { settingsOf, showOrganization } from '../show/organization.ts';
import { findOrganization, memberOf } from '../store/people.ts';
import type { OrganizationRow } from '../store/tables.ts';
import type { Handlers } from './types.ts';

function organizationsOfUser(context: PlatformContext, user: string, page?: { after: number; limit: number }) {
  const { after = 0, limit = -1 } = page ?? {};
  return context.db
    .prepare<OrganizationRow & { seq: number }>(
      `select o.* from organizations o join members m on m.organization = o.id
       where m.user = ? and m.disabled = 0 and o.seq > ? order by o.seq limit ?`,
    )
    .all(user, after, limit);
}

export const organizationHandlers: Handlers = {
  listOrganizations: (context, { query, caller }) =>
    listPage(
      { list: ['listOrganizations'], query },
      {
        count: () => organizationsOfUser(context, caller.user).length,
        rows: (after, limit) => organizationsOfUser(context, caller.user, { after: Number(after?.[0] ?? 0), limit }),
        key: (row) => [row.seq],
        item: (row) => showOrganization(context, row, memberOf(context, row.id, caller.user)?.role ?? null),
      },
    ),

  getOrganization: (context, { path, caller }) =>
    showOrganization(context, findOrganization(context, path.organizationId), caller.role),

  updateOrganization: (context, { path, body, caller }) => {
    const row = findOrganization(context, path.organizationId);
    const { title, ...settings } = body;
    const changed = {
      title: title ?? row.title,
      settings: JSON.stringify({ ...settingsOf(row), ...knownSettings(settings) }),
    };
    context.db.run(context.db.sql.updateTable('organizations').set(changed).where('id', '=', row.id));
    return showOrganization(context, { ...row, ...changed }, caller.role);
  },

  listEmailDomainOrganizations: (context, { path, caller }) => {
    const all = organizationsOfUser(context, caller.user);
    const found = all.filter((row) => settingsOf(row).emailDomains?.includes(path.emailDomain.toLowerCase()));
    return {
      organizations: found.map((row) =>
        showOrganization(context, row, memberOf(context, row.id, caller.user)?.role ?? null),
      ),
    };
  },

  pingOrganization: (context, { path, caller }) => {
    context.db.run(
      context.db.sql
        .updateTable('members')
        .set({ last_seen_at: isoTime(context.clock.now()) })
        .where('organization', '=', path.organizationId)
        .where('user', '=', caller.user),
    );
    return {};
  },
};

const SETTINGS = [
  'emailDomains',
  'hostname',
  'defaultRole',
  'defaultContent',
  'logo',
  'sso',
  'ai',
  'inviteLinks',
] as const;

// Unknown fields of a body are ignored, so they must not be stored either.
function knownSettings(settings: object): object {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => SETTINGS.some((known) => known === name)));
}
