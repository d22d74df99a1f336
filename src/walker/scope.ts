// What a walk is limited to, and what lies within that.
import { currentOf, resourceByNumber, wasRouted, type Mirror } from '../mirror/index.ts';
import type { Walk, WalkOptions, WalkScope } from './types.ts';
import type { Body } from './visits/parts.ts';

/** The limits of a run as text; null when it visits everything that the configuration names. */
export function scopeText({ scope }: Pick<WalkOptions, 'scope'>): string | null {
  const { organizations, onlySpaces, onlyCollections = null, kinds = null, limited = false } = scope;
  if (!limited && !isOfNamed(scope) && kinds === null) return null;
  return JSON.stringify({ organizations, onlySpaces, onlyCollections, kinds });
}

/** True for a walk of named spaces or collections: it visits nothing above them but their organizations. */
export function isOfNamed({ onlySpaces, onlyCollections = null }: WalkScope): boolean {
  return onlySpaces !== null || onlyCollections !== null;
}

/** False for a space that a walk of named spaces or collections did not come by, and for one of an organization that is not walked. */
export function isInside(walk: Walk, space: string): boolean {
  const { organizations, extraSpaces } = walk.scope;
  const isNamed = isOfNamed(walk.scope);
  if (!isNamed && (organizations === null || extraSpaces.includes(space))) return true;
  const known = currentOf(walk.mirror, 'space', space);
  if (known === undefined) return false;
  if (isNamed) return wasRouted(walk, known.rid);
  const organization = known.scope === null ? undefined : resourceByNumber(walk.mirror, known.scope)?.key;
  return organization !== undefined && organizations?.includes(organization) === true;
}

/** Number of the organization that a body names as its own; null where the mirror does not know it. */
export function organizationOf({ mirror }: { readonly mirror: Mirror }, { organization }: Body): number | null {
  return typeof organization === 'string' ? (currentOf(mirror, 'organization', organization)?.rid ?? null) : null;
}
