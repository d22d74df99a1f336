import { listPage } from '../../contract/index.ts';
import { isoTime } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { settingsOf, showOrganization } from '../show/organization.ts';
import { findOrganization, memberOf } from '../store/people.ts';
import type { OrganizationRow } from '../store/tables.ts';
import { checkedSettings } from './organization-settings.ts';
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

export const organizationHandlers = {
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
    const settings = { ...settingsOf(row), ...checkedSettings(context, row.id, body) };
    const changed = { title: body.title ?? row.title, settings: JSON.stringify(settings) };
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

  // Answers no claims for visitors: nothing that this platform publishes asks them to sign in.
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
} satisfies Handlers;
