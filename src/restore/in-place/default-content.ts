// In place: the site that an organization shows first, which may have to be made anew before.
import { isRecord } from '../../base/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { standing } from '../plan/step-list.ts';
import { textAt, titleOf } from '../resource.ts';
import type { Choices, Mend } from '../types.ts';
import type { Changed } from './divergence.ts';
import type { Mending } from './input.ts';

/** Set back where it differs; without being asked for where its site is made anew, since nothing else took it away. */
export function addDefaultContentMend(planning: Mending, changed: readonly Changed[], choices: Choices): void {
  const own = changed.find(({ wanted: { kind } }) => kind === 'organization');
  const one = own ?? stillNaming(planning);
  if (one !== undefined) addMend(planning, one, choices);
}

/** The organization that goes on to name the site which was there before the one that is made anew. */
function stillNaming({ list, reader, live, organization }: Mending): Changed | undefined {
  const [wanted, now] = [reader, live].map((side) => side.one('organization', organization));
  if (wanted === undefined || now === undefined) return undefined;
  const isAnew = list.creatorOf('site', `${organization}/${siteOf(wanted) ?? ''}`) !== undefined;
  return isAnew ? { wanted, live: now } : undefined;
}

function addMend(planning: Mending, { wanted, live: now }: Changed, choices: Choices): void {
  const { list, reader, organization } = planning;
  const [to, from] = [siteOf(wanted), siteOf(now)];
  const key = `${organization}/${to ?? ''}`;
  const stands = to === undefined ? undefined : standing(planning, { kind: 'site', key });
  const created = to === undefined ? undefined : list.creatorOf('site', key);
  if (to === undefined ? from === undefined : stands === from && stands !== undefined) return;
  if (!choices.changed && created === undefined) return;
  const site = to === undefined ? undefined : reader.one('site', key);
  const title = site ? titleOf(site) : (to ?? '');
  if (to !== undefined && stands === undefined && created === undefined)
    return list.addIdle('unsupported', wanted, { note: `site ${title}, which was shown first, is not there` });
  const note = to === undefined ? 'no site is shown first' : `site ${title} is shown first`;
  const mend: Mend = { expects: null, fields: [{ field: 'defaultContent', from: from ?? null, to: to ?? null }] };
  list.add({ action: 'update', part: 'defaults', of: wanted, note, needs: [created], mend });
}

function siteOf({ body }: Resource): string | undefined {
  const content = body['defaultContent'];
  return isRecord(content) ? textAt(content, 'site') : undefined;
}
