// People and organizations that arrive by other ways than the API: the owner of a fresh database, and whoever is created on demand.
import { sha256 } from '../base/index.ts';
import type { Role } from '../contract/index.ts';
import { addComputedPage } from './content/add-computed-page.ts';
import type { PlatformContext } from './context.ts';
import { makeRights, type PlatformRights } from './people-rights.ts';
import { insertMember, insertOrganization, insertUser, organizationIds } from './store/people.ts';
import { setPublished } from './store/sites.ts';

export interface NewPerson {
  displayName: string;
  email: string;
  organization: string;
  /** null is a guest. */
  role: Role | null;
}

export interface PlatformPeople extends PlatformRights {
  /** Ids of all organizations, oldest first. */
  organizations(): string[];
  /** A new organization, administered by the owner; answers its id. */
  createOrganization(organization: { title: string }): string;
  /** A new user, member of the organization, with a token of their own. */
  createUser(person: NewPerson): { id: string; token: string };
  /** A link that invites into the organization with a role; answers its id. */
  createInvite(invite: { organization: string; role: Role | null }): string;
  /** Every invite as `organization/invite`; the API lists none. */
  invites(): string[];
  /** A page in a space's main content that is computed from a specification, which no operation makes; answers its id. */
  addComputedPage(page: { space: string; spec: string; title: string }): string;
  /** Takes a site online or offline, which no operation does. */
  publishSite(id: string, published: boolean): void;
}

export interface Owner {
  id: string;
  token: string;
}

/** The address of the owner of a fresh database. */
export const OWNER_EMAIL = 'admin@example.com';
const OWNER = 'owner';
const TOKEN_LENGTH = 40;

/** The owner of the database: the one it has, or a new one with one organization (unless its title is null). */
export function ensureOwner(
  context: PlatformContext,
  options: { token: string | undefined; organization: string | null },
): Owner {
  const token = options.token ?? `dm_${context.random.id(TOKEN_LENGTH)}`;
  const stored = context.db.get(context.db.sql.selectFrom('settings').select('value').where('name', '=', OWNER));
  if (stored) {
    const hashed = { token_hash: sha256(token) };
    context.db.run(context.db.sql.updateTable('users').set(hashed).where('id', '=', stored.value));
    return { id: stored.value, token };
  }
  return context.db.transaction(() => {
    const id = insertUser(context, { displayName: 'Admin', email: OWNER_EMAIL, token });
    context.db.run(context.db.sql.insertInto('settings').values({ name: OWNER, value: id }));
    if (options.organization !== null) organizationFor(context, id, options.organization);
    return { id, token };
  });
}

function organizationFor(context: PlatformContext, owner: string, title: string): string {
  const organization = insertOrganization(context, title);
  insertMember(context, { organization, user: owner, role: 'admin' });
  return organization;
}

export function makePeople(context: PlatformContext, owner: string): PlatformPeople {
  return {
    ...makeRights(context),
    organizations: () => organizationIds(context),
    createOrganization: ({ title }) => context.db.transaction(() => organizationFor(context, owner, title)),
    createUser: ({ displayName, email, organization, role }) => {
      const token = `dm_${context.random.id(TOKEN_LENGTH)}`;
      const id = context.db.transaction(() => {
        const user = insertUser(context, { displayName, email, token });
        insertMember(context, { organization, user, role });
        return user;
      });
      return { id, token };
    },
    addComputedPage: (page) => context.db.transaction(() => addComputedPage(context, page)),
    publishSite: (id, published) => setPublished(context, id, published),
    invites: () =>
      context.db
        .all(context.db.sql.selectFrom('invites').select(['organization', 'id']).orderBy('organization').orderBy('id'))
        .map(({ organization, id }) => `${organization}/${id}`),
    createInvite: ({ organization, role }) => {
      const id = context.random.id();
      context.db.run(context.db.sql.insertInto('invites').values({ id, organization, role }));
      return id;
    },
  };
}
