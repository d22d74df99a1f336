// Which role each operation asks of its caller, on the space or collection that its path names and else in the organization.
import { operationOf, type AnyOperationName, type Role } from '../../contract/index.ts';

/** `member` is anybody in the organization, guests included; the handler may ask for more. */
export type Requirement = Role | 'member';

const MEMBER_OPERATIONS: ReadonlySet<AnyOperationName> = new Set<AnyOperationName>([
  'getOrganization',
  'pingOrganization',
  // Who signs in has to know where.
  'listSsoProviders',
  // Answer only what the caller can see.
  'listCollections',
  'searchOrganization',
  // What counts is the role where it is to stand.
  'createCollection',
  'createSpace',
]);

// Everybody may know about themselves.
const SELF_OPERATIONS: ReadonlySet<AnyOperationName> = new Set<AnyOperationName>([
  'getMember',
  'listMemberSpaces',
  'listMemberTeams',
]);

/** Asked of administrators although they only read: they tell how to get in. */
const ADMIN_READS: ReadonlySet<AnyOperationName> = new Set<AnyOperationName>([
  'getInvite',
  'listSamlProviders',
  'getSamlProvider',
  'listShareLinks',
]);

// Creators make sites; how a site looks and who gets in is for administrators.
const CREATE_OPERATIONS: ReadonlySet<AnyOperationName> = new Set<AnyOperationName>(['createSite', 'deleteSite']);

// The owner of a team may change it; the handler asks.
const TEAM_OPERATIONS: ReadonlySet<AnyOperationName> = new Set<AnyOperationName>(['updateTeam', 'deleteTeam']);

const EDIT_SECTIONS: ReadonlySet<string> = new Set(['Change requests', 'Change request content', 'Space content']);
const COMMENT_SECTIONS: ReadonlySet<string> = new Set(['Space comments', 'Change request comments']);
const CREATE_SECTIONS: ReadonlySet<string> = new Set([
  'Collections',
  'Spaces',
  'Custom fields',
  'OpenAPI specifications',
  'Translations',
]);

/** The least role that may call the operation; `isSelf` when the member that the path names is the caller. */
export function requirementOf(name: AnyOperationName, { isSelf }: { isSelf: boolean }): Requirement {
  if (MEMBER_OPERATIONS.has(name) || (isSelf && SELF_OPERATIONS.has(name))) return 'member';
  if (ADMIN_READS.has(name)) return 'admin';
  const { method, section } = operationOf(name);
  if (method === 'GET' || TEAM_OPERATIONS.has(name)) return 'read';
  if (name === 'mergeChangeRequest') return 'review';
  if (name === 'changeContent') return 'edit';
  if (COMMENT_SECTIONS.has(section)) return 'comment';
  if (EDIT_SECTIONS.has(section)) return 'edit';
  return CREATE_OPERATIONS.has(name) || CREATE_SECTIONS.has(section) ? 'create' : 'admin';
}
