// Where a resource of the snapshot stands on the target, by the id map.
import { kindOf, parentKind, type KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import { keyAbove } from '../resource.ts';

/** The restored resource; undefined when there is none. */
export function findRestored(ids: IdMap, restored: SnapshotReader, resource: Resource): Resource | undefined {
  const key = Object.values(newParams(ids, resource));
  return key.includes(undefined) ? undefined : restored.one(resource.kind, key.join('/'));
}

/** The identifying path parameters on the target, in their order; undefined for what was not restored. @param id Its own, if that is known. */
export function newParams(ids: IdMap, resource: Resource, id?: string): Readonly<Record<string, string | undefined>> {
  const { params } = kindOf(resource.kind);
  const last = params.length - 1;
  // Who is in a team is known by that, which may have been made anew.
  const holder = IN_ORGANIZATION[params[last] ?? ''] ?? resource.kind;
  const own = id ?? (holder === resource.kind ? ids.get(resource.kind, resource.key) : undefined);
  return Object.fromEntries(
    params.map((name, i) => [name, i === last && own !== undefined ? own : newParam(ids, resource, name)]),
  );
}

/** Kinds whose keys are `<organization>/<id>`, by the parameter that names them. */
const IN_ORGANIZATION: Readonly<Record<string, KindName>> = { siteId: 'site', userId: 'member', teamId: 'team' };

/** What a parameter of the original is on the target; undefined for what was not restored. */
function newParam(ids: IdMap, { kind, key, params }: Resource, name: string): string | undefined {
  const value = params[name] ?? '';
  switch (name) {
    case 'organizationId':
      return ids.get('organization', value);
    case 'spaceId':
      return ids.get('space', value);
    case 'changeRequestId':
      return ids.get('change-request', `${params['spaceId'] ?? ''}/${value}`);
    case 'commentId':
      return ids.get(parentKind(kind) ?? kind, keyAbove(key));
    default: {
      const holder = IN_ORGANIZATION[name];
      return holder && ids.get(holder, `${params['organizationId'] ?? ''}/${value}`);
    }
  }
}
