// Roles on single spaces and collections, given to users and teams.
import type { Role } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';

export interface Grant {
  /** Id of a space or a collection. */
  target: string;
  /** Id of a user or a team. */
  principal: string;
}

type Store = Pick<PlatformContext, 'db'>;

/** Gives the role, in place of an earlier one. */
export function saveGrant(context: Store, { target, principal }: Grant, role: Role): void {
  context.db
    .prepare(
      'insert into grants (target, principal, role) values (?, ?, ?) on conflict do update set role = excluded.role',
    )
    .run(target, principal, role);
}

export function deleteGrant(context: Store, { target, principal }: Grant): void {
  context.db.prepare('delete from grants where target = ? and principal = ?').run(target, principal);
}

/** Whoever may do something with a space may do the same with its copy. */
export function copyGrants(context: Store, copy: { from: string; to: string }): void {
  context.db
    .prepare(
      'insert into grants (target, principal, role) select @to, principal, role from grants where target = @from',
    )
    .run(copy);
}

/** Spaces that were opened to a team, alone or with a collection around them; deleted ones are not counted. */
export function countGrantedSpaces(context: Store, principal: string): number {
  const found = context.db
    .prepare<{ n: number }>(
      `with recursive inside as (
         select c.id from grants g join collections c on c.id = g.target where g.principal = @principal
         union select c.id from collections c join inside i on c.parent = i.id
       )
       select count(*) as n from spaces where deleted_at is null and id in (
         select target from grants where principal = @principal
         union select s.id from inside i
           join collections c on c.id = i.id
           join spaces s on s.organization = c.organization and s.parent = c.id
       )`,
    )
    .get({ principal });
  return found?.n ?? 0;
}
