// Where the parts of a site stand, before and after.
import type { Resource } from '../../../mirror/index.ts';
import { isAway } from '../../in-place/transfers.ts';
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

/** Undefined, too, for what stands, and stays, in another organization: no site of this one can show it. */
export function newSpace({ ids, live, plan, reader }: ApplyContext, place: Resource): string | undefined {
  const space = idAt(place.body['space']) ?? '';
  return isAway({ list: plan, live, reader }, space) ? undefined : ids.get('space', space);
}
