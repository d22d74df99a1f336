import type { PlatformContext } from '../context.ts';
import { saveGrant } from '../store/grants.ts';
import type { Caller } from './authorize.ts';
import { contentRoles, type Content } from './content-roles.ts';
import { higher } from './roles.ts';

/**
 * Whoever changes the default level of something keeps the role that allowed it, so that nobody locks themselves out. Answers the
 * caller with the roles of after the change; `content` is as changed.
 */
export function keepOwnRole(context: PlatformContext, caller: Caller, content: Content): Caller {
  const left = caller.content.of(content);
  if (caller.role === null || higher(left, caller.role) === left) return caller;
  saveGrant(context, { target: content.id, principal: caller.user }, caller.role);
  return { ...caller, content: contentRoles(context, { user: caller.user, role: caller.organizationRole }) };
}
