import type { PlatformContext } from '../context.ts';
import { saveGrant } from '../store/grants.ts';
import type { Caller } from './authorize.ts';
import { contentRoles, type Content } from './content-roles.ts';
import { higher } from './roles.ts';

/**
 * Whoever changes the default level of something, or where it stands, keeps the role that allowed it, so that nobody locks themselves
 * out. Answers the caller with the roles of after the change; `content` is as changed.
 */
export function keepOwnRole(context: PlatformContext, caller: Caller, content: Content): Caller {
  const { user, role, organizationRole } = caller;
  const now = (): Caller => ({ ...caller, content: contentRoles(context, { user, role: organizationRole }) });
  const changed = now();
  const left = changed.content.of(content);
  if (role === null || higher(left, role) === left) return changed;
  saveGrant(context, { target: content.id, principal: user }, role);
  return now();
}
