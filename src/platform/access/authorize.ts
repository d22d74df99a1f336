import { type AnyOperationName, type Role, forbidden, notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { findCollection } from '../store/collections.ts';
import { findOrganization, memberOf } from '../store/people.ts';
import { findSpaceEvenDeleted } from '../store/spaces.ts';
import { contentRoles, NO_ROLES, type Content, type ContentRoles } from './content-roles.ts';
import { requirementOf } from './requirements.ts';
import { reaches } from './roles.ts';

/** Who asks, and with which role on what the request is about. */
export interface Caller {
  readonly user: string;
  /** On the space or collection that the path names, else in the organization; null for a guest and where nothing is named. */
  readonly role: Role | null;
  /** In the organization concerned; null for a guest and where none is. */
  readonly organizationRole: Role | null;
  /** On other content of the same organization. */
  readonly content: ContentRoles;
}

/** Membership in an organization other than the one that a request is about. */
export interface RolesThere {
  readonly member: boolean;
  readonly role: Role | null;
  readonly content: ContentRoles;
}

/** What a path names, and where the rights on it come from. */
interface Place {
  what: string;
  id: string;
  organization: string;
  /** null for the organization itself. */
  content: Content | null;
}

/** Finds the caller's role and refuses what it does not reach: 404 for what must not be seen, 403 for what must not be done. */
export function authorize(
  context: PlatformContext,
  request: { name: AnyOperationName; path: Readonly<Record<string, string>>; user: string },
): Caller {
  const { user, path } = request;
  const place = placeOf(context, path);
  if (!place) return { user, role: null, organizationRole: null, content: NO_ROLES };
  const member = memberOf(context, place.organization, user);
  if (!member || member.disabled) throw notFound(place.what, place.id);
  const content = contentRoles(context, member);
  const role = place.content ? content.of(place.content) : member.role;
  if (place.content && role === null) throw notFound(place.what, place.id);
  const needed = requirementOf(request.name, { isSelf: path['userId'] === user });
  if (needed !== 'member') demandRole(role, needed);
  return { user, role, organizationRole: member.role, content };
}

/** 403 unless the role reaches the one that is needed. */
export function demandRole(role: Role | null, needed: Role): void {
  if (reaches(role, needed)) return;
  throw forbidden(`This needs the role ${needed}; the caller ${role === null ? 'is a guest' : `has ${role}`}`);
}

/** The caller in another organization; refuses who may not create there. */
export function authorizeTarget(context: PlatformContext, organization: string, user: string): Caller {
  findOrganization(context, organization);
  const { member, role, content } = rolesIn(context, organization, user);
  if (!member) throw notFound('Organization', organization);
  if (!reaches(role, 'create')) throw forbidden('This needs the role create in the target organization');
  return { user, role, organizationRole: role, content };
}

/** What the user may see and do in an organization; nothing for who is no member. */
export function rolesIn(context: PlatformContext, organization: string, user: string): RolesThere {
  const member = memberOf(context, organization, user);
  if (!member || member.disabled) return { member: false, role: null, content: NO_ROLES };
  return { member: true, role: member.role, content: contentRoles(context, member) };
}

function placeOf(context: PlatformContext, path: Readonly<Record<string, string>>): Place | null {
  const { organizationId, spaceId, collectionId } = path;
  if (spaceId !== undefined) {
    const content = findSpaceEvenDeleted(context, spaceId);
    return { what: 'Space', id: spaceId, organization: content.organization, content };
  }
  if (collectionId !== undefined) {
    const content = findCollection(context, collectionId);
    return { what: 'Collection', id: collectionId, organization: content.organization, content };
  }
  if (organizationId === undefined) return null;
  findOrganization(context, organizationId);
  return { what: 'Organization', id: organizationId, organization: organizationId, content: null };
}
