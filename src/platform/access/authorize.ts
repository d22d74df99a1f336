import type { AnyOperationName, Role } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { forbidden, notFound } from '../refusal.ts';
import { findCollection } from '../store/collections.ts';
import { findOrganization, memberOf } from '../store/people.ts';
import { findSpaceEvenDeleted } from '../store/spaces.ts';
import { requirementOf } from './requirements.ts';
import { reaches } from './roles.ts';

/** Who asks, and with which role in the organization that the request is about. */
export interface Caller {
  readonly user: string;
  /** null for a guest, and where no organization is concerned. */
  readonly role: Role | null;
}

/** Finds the caller's role and refuses what it does not reach. */
export function authorize(
  context: PlatformContext,
  request: { name: AnyOperationName; path: Readonly<Record<string, string>>; user: string },
): Caller {
  const place = placeOf(context, request.path);
  if (!place) return { user: request.user, role: null };
  const member = memberOf(context, place.organization, request.user);
  if (!member || member.disabled) throw notFound(place.what, place.id);
  const needed = requirementOf(request.name);
  if (needed !== 'member' && !reaches(member.role, needed)) {
    if (member.role === null) throw notFound(place.what, place.id);
    throw forbidden(`This needs the role ${needed}; the caller has ${member.role}`);
  }
  return { user: request.user, role: member.role };
}

/** The caller's role in another organization; refuses who may not create there. */
export function authorizeTarget(context: PlatformContext, organization: string, user: string): void {
  findOrganization(context, organization);
  const member = memberOf(context, organization, user);
  if (!member || member.disabled) throw notFound('Organization', organization);
  if (!reaches(member.role, 'create')) throw forbidden('This needs the role create in the target organization');
}

function placeOf(
  context: PlatformContext,
  path: Readonly<Record<string, string>>,
): { what: string; id: string; organization: string } | null {
  const { organizationId, spaceId, collectionId } = path;
  if (spaceId !== undefined) {
    return { what: 'Space', id: spaceId, organization: findSpaceEvenDeleted(context, spaceId).organization };
  }
  if (collectionId !== undefined) {
    const { organization } = findCollection(context, collectionId);
    return { what: 'Collection', id: collectionId, organization };
  }
  if (organizationId === undefined) return null;
  findOrganization(context, organizationId);
  return { what: 'Organization', id: organizationId, organization: organizationId };
}
