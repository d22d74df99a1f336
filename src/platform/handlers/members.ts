import type { PlatformContext } from '../context.ts';
import { listPage, type SortKey } from '../paging.ts';
import { conflict, notFound } from '../refusal.ts';
import { showSpace } from '../show/containers.ts';
import { showMember } from '../show/organization.ts';
import { memberOf } from '../store/people.ts';
import { countSpacesOfOrganization, spacesOfOrganization } from '../store/spaces.ts';
import type { MemberRow } from '../store/tables.ts';
import type { HandlerRequest, Handlers } from './types.ts';

type MemberQuery = HandlerRequest<'listMembers'>['query'];

function findMember(context: PlatformContext, path: { organizationId: string; userId: string }): MemberRow {
  const member = memberOf(context, path.organizationId, path.userId);
  if (!member) throw notFound('Member', path.userId);
  return member;
}

function membersQuery(context: PlatformContext, organization: string, query: MemberQuery) {
  let found = context.db.sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user')
    .where('members.organization', '=', organization);
  if (query.role === 'guest') found = found.where('members.role', 'is', null);
  else if (query.role !== undefined) found = found.where('members.role', '=', query.role);
  if (query.sort === 'lastSeenAt') found = found.where('members.last_seen_at', 'is not', null);
  const { search } = query;
  if (search === undefined) return found;
  return found.where((e) =>
    e.or([
      e(e.fn('instr', [e.fn('lower', ['users.display_name']), e.val(search.toLowerCase())]), '>', 0),
      e(e.fn('instr', [e.fn('lower', ['users.email']), e.val(search.toLowerCase())]), '>', 0),
    ]),
  );
}

function memberRows(
  context: PlatformContext,
  list: { organization: string; query: MemberQuery; after: SortKey | null; limit: number },
): MemberRow[] {
  const column = list.query.sort === 'lastSeenAt' ? 'members.last_seen_at' : 'members.joined_at';
  const order = list.query.order ?? 'desc';
  let found = membersQuery(context, list.organization, list.query)
    .selectAll('members')
    .orderBy(column, order)
    .orderBy('members.user', order)
    .limit(list.limit);
  if (list.after) {
    const [time = '', user = ''] = list.after.map(String);
    const compare = order === 'desc' ? '<' : '>';
    found = found.where((e) =>
      e.or([e(column, compare, time), e.and([e(column, '=', time), e('members.user', compare, user)])]),
    );
  }
  return context.db.all(found);
}

function refuseLastAdmin(context: PlatformContext, member: MemberRow): void {
  if (member.role !== 'admin') return;
  const admins = memberCount(context, member.organization, { role: 'admin' });
  if (admins === 1) throw conflict('An organization keeps at least one administrator');
}

function memberCount(context: PlatformContext, organization: string, query: MemberQuery): number {
  const counted = membersQuery(context, organization, query).select((e) => e.fn.countAll<number>().as('n'));
  return context.db.get(counted)?.n ?? 0;
}

function updateMemberRow(context: PlatformContext, member: MemberRow, fields: Partial<MemberRow>): MemberRow {
  context.db.run(
    context.db.sql
      .updateTable('members')
      .set(fields)
      .where('organization', '=', member.organization)
      .where('user', '=', member.user),
  );
  return { ...member, ...fields };
}

export const memberHandlers: Handlers = {
  listMembers: (context, { path, query }) =>
    listPage(
      { list: ['listMembers', path.organizationId, query.sort ?? 'joinedAt', query.order ?? 'desc'], query },
      {
        count: () => memberCount(context, path.organizationId, query),
        rows: (after, limit) => memberRows(context, { organization: path.organizationId, query, after, limit }),
        key: (row) => [query.sort === 'lastSeenAt' ? (row.last_seen_at ?? '') : row.joined_at, row.user],
        item: (row) => showMember(context, row),
      },
    ),

  getMember: (context, { path }) => showMember(context, findMember(context, path)),

  updateMember: (context, { path, body }) => {
    const member = findMember(context, path);
    if (body.role === undefined) return showMember(context, member);
    if (body.role !== 'admin') refuseLastAdmin(context, member);
    return showMember(context, updateMemberRow(context, member, { role: body.role }));
  },

  deleteMember: (context, { path }) => {
    const member = findMember(context, path);
    refuseLastAdmin(context, member);
    context.db.run(
      context.db.sql
        .deleteFrom('members')
        .where('organization', '=', member.organization)
        .where('user', '=', member.user),
    );
    return undefined;
  },

  setMemberSso: (context, { path }) => {
    return showMember(context, updateMemberRow(context, findMember(context, path), { sso: 1 }));
  },

  listMemberSpaces: (context, { path, query, caller }) => {
    const { role, organization } = findMember(context, path);
    const order = query.order ?? 'desc';
    return listPage(
      { list: ['listMemberSpaces', path.organizationId, path.userId, order], query },
      {
        count: () => (role === null ? 0 : countSpacesOfOrganization(context, organization)),
        rows: (after, limit) =>
          role === null
            ? []
            : spacesOfOrganization(context, organization, { after: after ? Number(after[0]) : null, limit, order }),
        key: (row) => [row.seq],
        item: (row) => ({ permission: role ?? 'read', space: showSpace(context, row, caller.role) }),
      },
    );
  },

  listMemberTeams: (context, { path }) => {
    findMember(context, path);
    return { count: 0, items: [] };
  },
};
