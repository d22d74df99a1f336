// Which of the spaces and collections that the mirror has a walk of some scope visits.
import { groupBy } from '../base/index.ts';
import { bodyOf, countBelow, currentOf, heldBelow, heldOf, type Held } from '../mirror/index.ts';
import { isOfNamed, scopeText } from './scope.ts';
import type { WalkOptions } from './types.ts';

type Scoped = Pick<WalkOptions, 'mirror' | 'scope'>;

/** Spaces of organizations that are not walked: named ones, and those of which the mirror does not have the organization. */
export function spacesOutside({ mirror, scope }: Scoped, walked: readonly Held[]): Held[] {
  const ofNone = scopeText({ scope }) === null ? heldBelow(mirror, { scope: null, kind: 'space' }) : [];
  if (scope.extraSpaces.length === 0) return ofNone;
  const keys = new Set(walked.map(({ key }) => key));
  const isOutside = ({ rid }: Held): boolean => !keys.has(String(bodyOf(mirror, rid)?.['organization']));
  const known = new Set(ofNone.map(({ rid }) => rid));
  const named = heldOf(mirror, 'space').filter(
    (one) => scope.extraSpaces.includes(one.key) && !known.has(one.rid) && isOutside(one),
  );
  return [...ofNone, ...named];
}

export function collectionsOutside({ mirror, scope }: Scoped): number {
  return scopeText({ scope }) === null ? heldBelow(mirror, { scope: null, kind: 'collection' }).length : 0;
}

/** How many collections the listing has that shows which are nested in one: those of its organization. */
export function collectionsBeside({ mirror }: Scoped, key: string): number {
  return countBelow(mirror, currentOf(mirror, 'collection', key)?.scope ?? null, 'collection');
}

/** Keys of the named collections and of all that are nested in them. */
export function collectionsInside({ mirror, scope }: Scoped): Set<string> {
  const inside = new Set(scope.onlyCollections ?? []);
  const all = inside.size === 0 ? [] : heldOf(mirror, 'collection');
  const nested = groupBy(all, ({ rid }) => bodyOf(mirror, rid)?.['parent']);
  for (const key of inside) for (const one of nested.get(key) ?? []) inside.add(one.key);
  return inside;
}

export function spacesInside({ mirror, scope }: Scoped): Held[] {
  const { onlySpaces } = scope;
  const spaces = heldOf(mirror, 'space');
  if (!isOfNamed(scope)) return spaces;
  const collections = collectionsInside({ mirror, scope });
  return spaces.filter(
    (one) => (onlySpaces?.includes(one.key) ?? false) || collections.has(String(bodyOf(mirror, one.rid)?.['parent'])),
  );
}

/** The part of the spaces that a walk visits, 0 to 1. */
export function shareOfSpaces(scoped: Scoped): number {
  const all = countBelow(scoped.mirror, null, 'space');
  return all === 0 ? 1 : spacesInside(scoped).length / all;
}

/** False for a space of an organization that is not walked. */
export function isOfWalked({ mirror, scope }: Scoped, { rid, key }: Held): boolean {
  const { organizations, extraSpaces } = scope;
  if (organizations === null || isOfNamed(scope) || extraSpaces.includes(key)) return true;
  return organizations.includes(String(bodyOf(mirror, rid)?.['organization']));
}
