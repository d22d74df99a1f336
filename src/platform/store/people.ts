import { isoTime, sha256 } from '../../base/index.ts';
import { type Role, type User, notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import type { MemberRow, OrganizationRow, UserRow } from './tables.ts';

export interface NewUser {
  displayName: string;
  email?: string;
  /** As given to the user; only its hash is kept. */
  token: string;
}

type Store = Pick<PlatformContext, 'db' | 'clock' | 'random'>;

export function insertUser(context: Store, user: NewUser): string {
  const id = context.random.id();
  context.db.run(
    context.db.sql.insertInto('users').values({
      id,
      display_name: user.displayName,
      email: user.email ?? null,
      token_hash: sha256(user.token),
    }),
  );
  return id;
}

/** The user of a token; undefined when nobody has it. */
export function userOfToken(context: Pick<PlatformContext, 'db'>, token: string): UserRow | undefined {
  return context.db.prepare<UserRow>('select * from users where token_hash = ?').get(sha256(token));
}

function userById(context: Pick<PlatformContext, 'db'>, id: string): UserRow {
  const user = context.db.prepare<UserRow>('select * from users where id = ?').get(id);
  if (!user) throw notFound('User', id);
  return user;
}

/** The user as others see it inside a resource. */
export function showUser(context: Pick<PlatformContext, 'db' | 'url'>, id: string): User {
  const user = userById(context, id);
  return defined({
    object: 'user' as const,
    id: user.id,
    displayName: user.display_name,
    email: user.email ?? undefined,
    urls: { location: `${context.url}/v1/users/${user.id}` },
  });
}

/** True when the second of two users may know of the first, as a member of an organization that both are in. */
export function areTogether(context: Pick<PlatformContext, 'db'>, user: string, caller: string): boolean {
  const found = context.db
    .prepare(
      `select 1 from members one join members other on other.organization = one.organization
       where one.user = ? and other.user = ? and other.disabled = 0`,
    )
    .get(user, caller);
  return found !== undefined;
}

export function insertMember(context: Store, member: { organization: string; user: string; role: Role | null }): void {
  context.db.run(
    context.db.sql.insertInto('members').values({
      ...member,
      disabled: 0,
      joined_at: isoTime(context.clock.now()),
      last_seen_at: null,
      sso: 0,
    }),
  );
}

export function memberOf(
  context: Pick<PlatformContext, 'db'>,
  organization: string,
  user: string,
): MemberRow | undefined {
  return context.db
    .prepare<MemberRow>('select * from members where organization = ? and user = ?')
    .get(organization, user);
}

export function insertOrganization(context: Store, title: string): string {
  const id = context.random.id();
  context.db.run(
    context.db.sql
      .insertInto('organizations')
      .values({ id, title, created_at: isoTime(context.clock.now()), settings: '{}' }),
  );
  return id;
}

export function findOrganization(context: Pick<PlatformContext, 'db'>, id: string): OrganizationRow {
  const row = context.db.prepare<OrganizationRow>('select * from organizations where id = ?').get(id);
  if (!row) throw notFound('Organization', id);
  return row;
}

/** Ids of all organizations, oldest first. */
export function organizationIds(context: Pick<PlatformContext, 'db'>): string[] {
  return context.db.all(context.db.sql.selectFrom('organizations').select('id').orderBy('seq')).map((row) => row.id);
}
