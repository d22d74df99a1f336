// Where the parts of a site stand, before and after.
import type { Resource } from '../../../mirror/index.ts';
import { idAt } from '../../resource.ts';
import type { ApplyContext } from '../../types.ts';
import { inOrganization } from '../created.ts';

/** Key of the site that a part of it belongs to. */
export function siteKey({ params }: Resource): string {
  return `${params['organizationId'] ?? ''}/${params['siteId'] ?? ''}`;
}

export function inSite(context: ApplyContext, resource: Resource): { organizationId: string; siteId: string } {
  return { ...inOrganization(context), siteId: context.ids.need('site', siteKey(resource)) };
}

export function newSpace(context: ApplyContext, place: Resource): string | undefined {
  return context.ids.get('space', idAt(place.body['space']) ?? '');
}
