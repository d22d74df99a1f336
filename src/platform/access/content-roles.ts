// Who may do what with spaces and collections. Permissions, listings, counters and refusals all ask here.
import type { Role } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import type { ContentLevel } from '../store/tables.ts';
import { higher } from './roles.ts';

/** A space or a collection, as far as rights go. */
export interface Content {
  id: string;
  /** The collection it stands in; null at the root. */
  parent: string | null;
  default_level: ContentLevel;
}

export interface ContentRoles {
  /** Nothing is hidden, because the member administrates the organization. */
  readonly everything: boolean;
  /** Some content is open to this member beyond what everybody has. */
  readonly hasGrants: boolean;
  /** The role on a space or a collection of the organization; null when it must not be seen. */
  of(content: Content): Role | null;
}

interface Rights {
  /** What every member has; `inherit` up to the root means the member's own role. */
  level: Role | null;
  granted: Role | null;
}

/**
 * The roles of a member on the content of one organization: the higher of what everybody has there and what was granted to the
 * member, alone or through a team, on the content itself or on a collection around it. What everybody has is the nearest default
 * level that is not `inherit`, or else the member's role in the organization; guests have only what was granted, administrators
 * everything. Remembers what it read, so it is good for one request.
 */
export function contentRoles(
  context: Pick<PlatformContext, 'db'>,
  member: { user: string; role: Role | null },
): ContentRoles {
  if (member.role === 'admin') return { everything: true, hasGrants: false, of: () => 'admin' };
  const grants = grantsOf(context, member.user);
  const collections = new Map<string, Rights>();
  const rightsOn = (content: Content, around: Rights): Rights => {
    const own = member.role === null ? null : content.default_level;
    return {
      level: own === 'inherit' ? around.level : own,
      granted: higher(around.granted, grants.get(content.id) ?? null),
    };
  };
  // Step by step, up and down again: thousands of collections within each other would be more than the stack holds.
  const rightsIn = (collection: string | null): Rights => {
    const unknown: Content[] = [];
    let at = collection;
    for (; at !== null && !collections.has(at); at = unknown.at(-1)?.parent ?? null) {
      unknown.push(collectionOf(context, at));
    }
    let rights = (at === null ? undefined : collections.get(at)) ?? { level: member.role, granted: null };
    for (const inner of unknown.toReversed()) collections.set(inner.id, (rights = rightsOn(inner, rights)));
    return rights;
  };
  return {
    everything: false,
    hasGrants: grants.size > 0,
    of: (content) => {
      const { level, granted } = rightsOn(content, rightsIn(content.parent));
      return higher(level, granted);
    },
  };
}

/** The roles of someone who is no member: none. */
export const NO_ROLES: ContentRoles = { everything: false, hasGrants: false, of: () => null };

function grantsOf(context: Pick<PlatformContext, 'db'>, user: string): ReadonlyMap<string, Role> {
  const found = new Map<string, Role>();
  const rows = context.db
    .prepare<{ target: string; role: Role }>(
      `select target, role from grants where principal = @user
       union all select g.target, g.role from team_members m join grants g on g.principal = m.team where m.user = @user`,
    )
    .all({ user });
  for (const { target, role } of rows) found.set(target, higher(found.get(target) ?? null, role) ?? role);
  return found;
}

function collectionOf(context: Pick<PlatformContext, 'db'>, id: string): Content {
  const row = context.db.prepare<Content>('select id, parent, default_level from collections where id = ?').get(id);
  return row ?? { id, parent: null, default_level: 'inherit' };
}
