// How many spaces somebody sees. Spaces with the same parent and default level are open to the same members, grants aside, so
// they are counted together.
import type { Role } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { contentRoles, type Content, type ContentRoles } from './content-roles.ts';

/** Spaces of an organization that are not deleted; of one collection only, when named. */
export interface SpaceScope {
  organization: string;
  collection?: string;
}

interface SpaceGroup extends Omit<Content, 'id'> {
  n: number;
}

type Store = Pick<PlatformContext, 'db'>;

/** Counts the spaces that every one of the given roles reaches. */
export function countVisibleSpaces(context: Store, scope: SpaceScope, roles: readonly ContentRoles[]): number {
  return countInGroups(context, scope, { groups: groupsOf(context, scope), roles });
}

/** Counts for one member after another, reading what they share once. */
export function spaceCounter(
  context: Store,
  organization: string,
): (member: { user: string; role: Role | null }) => number {
  const scope = { organization };
  let groups: readonly SpaceGroup[] | undefined;
  return (member) => {
    groups ??= groupsOf(context, scope);
    return countInGroups(context, scope, { groups, roles: [contentRoles(context, member)] });
  };
}

function countInGroups(
  context: Store,
  scope: SpaceScope,
  { groups, roles }: { groups: readonly SpaceGroup[]; roles: readonly ContentRoles[] },
): number {
  let count = 0;
  for (const group of groups) {
    const blind = roles.filter((one) => one.of({ ...group, id: '' }) === null);
    if (blind.length === 0) count += group.n;
    // Only a grant on a space itself can open it to them.
    else if (blind.every((one) => one.hasGrants)) {
      count += spacesIn(context, scope.organization, group).filter((space) => seenByAll(space, blind)).length;
    }
  }
  return count;
}

/** True when every one of the roles may see it. */
export function seenByAll(content: Content, roles: readonly ContentRoles[]): boolean {
  return roles.every((one) => one.of(content) !== null);
}

function groupsOf(context: Store, { organization, collection }: SpaceScope): SpaceGroup[] {
  const inside = collection === undefined ? '' : 'and parent = @collection';
  return context.db
    .prepare<SpaceGroup>(
      `select parent, default_level, count(*) as n from spaces
       where organization = @organization and deleted_at is null ${inside} group by parent, default_level`,
    )
    .all({ organization, ...(collection === undefined ? {} : { collection }) });
}

function spacesIn(context: Store, organization: string, { parent, default_level }: SpaceGroup): Content[] {
  return context.db
    .prepare<Content>(
      `select id, parent, default_level from spaces
       where organization = ? and parent is ? and default_level is ? and deleted_at is null`,
    )
    .all(organization, parent, default_level);
}
