// Which role each operation asks of its caller in the organization concerned. A member without the role is refused (403);
// who is no member is not told that the thing exists (404).
import { operationOf, type AnyOperationName, type Role } from '../../contract/index.ts';

/** `member` is anybody in the organization, guests included. */
export type Requirement = Role | 'member';

const MEMBER_OPERATIONS: ReadonlySet<AnyOperationName> = new Set<AnyOperationName>([
  'getOrganization',
  'pingOrganization',
]);

const EDIT_SECTIONS: ReadonlySet<string> = new Set(['Change requests', 'Change request content', 'Space content']);
const COMMENT_SECTIONS: ReadonlySet<string> = new Set(['Space comments', 'Change request comments']);
const CREATE_SECTIONS: ReadonlySet<string> = new Set([
  'Collections',
  'Spaces',
  'Custom fields',
  'OpenAPI specifications',
  'Translations',
]);

/** The least role that may call the operation. */
export function requirementOf(name: AnyOperationName): Requirement {
  if (MEMBER_OPERATIONS.has(name)) return 'member';
  const { method, section } = operationOf(name);
  if (method === 'GET') return 'read';
  if (name === 'mergeChangeRequest') return 'review';
  if (name === 'changeContent') return 'edit';
  if (name === 'createSpace') return 'create';
  if (COMMENT_SECTIONS.has(section)) return 'comment';
  if (EDIT_SECTIONS.has(section)) return 'edit';
  return CREATE_SECTIONS.has(section) ? 'create' : 'admin';
}
