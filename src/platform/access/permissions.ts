// The `permissions` booleans of resources; operations obey the same roles (requirements.ts).
import type { Role } from '../../contract/index.ts';
import { reaches } from './roles.ts';

export function spacePermissions(role: Role | null) {
  const view = reaches(role, 'read');
  return {
    view,
    access: view,
    admin: reaches(role, 'create'),
    viewInviteLinks: reaches(role, 'create'),
    edit: reaches(role, 'edit'),
    triggerGitSync: reaches(role, 'create'),
    comment: reaches(role, 'comment'),
    merge: reaches(role, 'review'),
    review: reaches(role, 'review'),
  };
}

export function collectionPermissions(role: Role | null) {
  const create = reaches(role, 'create');
  return { view: reaches(role, 'read'), admin: create, viewInviteLinks: create, create };
}

export function organizationPermissions(role: Role | null) {
  const admin = reaches(role, 'admin');
  const create = reaches(role, 'create');
  return {
    view: true,
    admin,
    ownTeam: admin,
    createContent: create,
    createOpenAPISpec: create,
    viewBilling: admin,
    listMembers: reaches(role, 'read'),
    listTeams: reaches(role, 'read'),
    listIntegrations: create,
  };
}

/** On a comment or a reply; its author may edit it, an administrator may do all. */
export function postPermissions(role: Role | null, isAuthor: boolean) {
  const comment = reaches(role, 'comment');
  const own = comment && (isAuthor || reaches(role, 'admin'));
  return { view: reaches(role, 'read'), edit: own, reply: comment, delete: own };
}
