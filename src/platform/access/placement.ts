import { invalid } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { demandRole, type Caller } from './authorize.ts';
import type { Content } from './content-roles.ts';

/**
 * The collection that is to hold something of the organization; null is the root. 400 for one that is not there or must not be
 * seen, 403 when the caller may not create there.
 */
export function demandPlace(
  context: Pick<PlatformContext, 'db'>,
  caller: Caller,
  place: { organization: string; parent: string | null },
): string | null {
  const { organization, parent } = place;
  if (parent === null) {
    demandRole(caller.organizationRole, 'create');
    return null;
  }
  const found = context.db
    .prepare<Content>('select id, parent, default_level from collections where id = ? and organization = ?')
    .get(parent, organization);
  const role = found ? caller.content.of(found) : null;
  if (role === null) throw invalid('parent', `collection ${parent} does not exist here`);
  demandRole(role, 'create');
  return parent;
}
