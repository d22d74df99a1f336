import { keptRows, listPage, type SortKey, notFound, notNow } from '../../contract/index.ts';
import { sql } from 'kysely';
import { contentRoles } from '../access/content-roles.ts';
import { countVisibleSpaces, seenByAll, spaceCounter } from '../access/visible-spaces.ts';
import type { PlatformContext } from '../context.ts';
import { showSpace } from '../show/containers.ts';
import { showMember } from '../show/organization.ts';
import { areTogether, memberOf, showUser } from '../store/people.ts';
import { spacesOfOrganization, type CountedSpace } from '../store/spaces.ts';
import type { MemberRow } from '../store/tables.ts';
import type { HandlerRequest, Handlers } from './types.ts';

type MemberQuery = HandlerRequest<'listMembers'>['query'];

export function findMember(context: PlatformContext, path: { organizationId: string; userId: string }): MemberRow {
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
  // Who was never seen, or is disabled, is not active.
  if (query.sort === 'lastSeenAt') {
    found = found.where('members.last_seen_at', 'is not', null).where('members.disabled', '=', 0);
  }
  const { search } = query;
  if (search === undefined) return found;
  const contains = (column: 'users.display_name' | 'users.email') =>
    sql<boolean>`instr(fold(${sql.ref(column)}), fold(${search})) > 0`;
  return found.where((e) => e.or([contains('users.display_name'), contains('users.email')]));
}

function memberRows(
  context: PlatformContext,
  list: { organization: string; query: MemberQuery; after: SortKey | null; limit: number },
): MemberRow[] {
  const column = list.query.sort === 'lastSeenAt' ? 'members.last_seen_at' : 'members.joined_at';
  const { order } = list.query;
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

function refuseLastAdmin(context: PlatformContext, { organization, user, role }: MemberRow): void {
  if (role !== 'admin') return;
  const other = context.db
    .prepare(`select 1 from members where organization = ? and user <> ? and role = 'admin' and disabled = 0`)
    .get(organization, user);
  if (!other) throw notNow('An organization keeps at least one administrator');
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

export const memberHandlers = {
  listMembers: (context, { path, query }) => {
    const countSpaces = spaceCounter(context, path.organizationId);
    return listPage(
      { list: ['listMembers', path.organizationId, query.sort, query.order], query },
      {
        count: () => memberCount(context, path.organizationId, query),
        rows: (after, limit) => memberRows(context, { organization: path.organizationId, query, after, limit }),
        key: (row) => [query.sort === 'lastSeenAt' ? (row.last_seen_at ?? '') : row.joined_at, row.user],
        item: (row) => showMember(context, row, countSpaces),
      },
    );
  },

  getUser: (context, { path, caller }) => {
    if (path.userId !== caller.user && !areTogether(context, path.userId, caller.user))
      throw notFound('User', path.userId);
    return showUser(context, path.userId);
  },

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

  // What the member sees, as far as the caller sees it too.
  listMemberSpaces: (context, { path, query, caller }) => {
    const member = findMember(context, path);
    const { organization, user } = member;
    const { order } = query;
    const own = user === caller.user ? caller.content : contentRoles(context, member);
    const roles = [own, caller.content];
    const list = {
      rows: (after: SortKey | null, limit: number) =>
        spacesOfOrganization(context, organization, { after: after ? Number(after[0]) : null, limit, order }),
      key: (row: CountedSpace) => [row.seq],
    };
    return listPage(
      { list: ['listMemberSpaces', organization, user, order], query },
      {
        count: () => countVisibleSpaces(context, { organization }, roles),
        rows: keptRows(list, (row) => seenByAll(row, roles)),
        key: list.key,
        item: (row) => ({
          permission: own.of(row) ?? 'read',
          space: showSpace(context, row, caller.content.of(row)),
        }),
      },
    );
  },
} satisfies Handlers;
