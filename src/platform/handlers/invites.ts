import { type Invite, notFound } from '../../contract/index.ts';
import { higher } from '../access/roles.ts';
import type { PlatformContext } from '../context.ts';
import { settingsOf } from '../show/organization.ts';
import { findOrganization } from '../store/people.ts';
import type { InviteRow } from '../store/tables.ts';
import type { Handlers } from './types.ts';

function findInvite(context: PlatformContext, path: { organizationId: string; inviteId: string }): InviteRow {
  const row = context.db
    .prepare<InviteRow>('select * from invites where organization = ? and id = ?')
    .get(path.organizationId, path.inviteId);
  if (!row) throw notFound('Invite', path.inviteId);
  return row;
}

/** An invite is redundant when it gives nothing over the role that every newcomer gets. */
function showInvite(context: PlatformContext, row: InviteRow): Invite {
  const { defaultRole = null } = settingsOf(findOrganization(context, row.organization));
  const redundant = higher(defaultRole, row.role) === defaultRole;
  return { object: 'invite' as const, id: row.id, role: row.role, redundant };
}

export const inviteHandlers = {
  getInvite: (context, { path }) => showInvite(context, findInvite(context, path)),

  updateInvite: (context, { path, body }) => {
    const row = findInvite(context, path);
    if (body.role === undefined) return showInvite(context, row);
    context.db.run(context.db.sql.updateTable('invites').set({ role: body.role }).where('id', '=', row.id));
    return showInvite(context, { ...row, role: body.role });
  },

  deleteInvite: (context, { path }) => {
    context.db.run(context.db.sql.deleteFrom('invites').where('id', '=', findInvite(context, path).id));
    return undefined;
  },
} satisfies Handlers;
