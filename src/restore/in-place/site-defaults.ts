// In place: what an organization, a site and a section open with. The platform tells it of parts of sites, the operations set it in what
// holds them.
import type { KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { keyAbove, textAt, titleOf } from '../resource.ts';
import { defaultAmong } from '../special/site-order.ts';
import type { Choices, Mend, PlanStep } from '../types.ts';
import type { Divergence, Changed } from './divergence.ts';
import { isBarred } from './root-places.ts';
import type { Mending } from './input.ts';
import { isRecord } from '../../base/index.ts';
import { standing } from '../plan/step-list.ts';

/** Kinds of the parts, by the field that names one of them in what holds it. */
export const SITE_DEFAULTS = {
  defaultSiteSection: 'site-section',
  defaultSiteSpace: 'site-space',
} as const satisfies Readonly<Record<string, KindName>>;

/** Set back where another part is opened with, or where the part comes back. */
export function addSiteDefaultMends(planning: Mending, { missing, changed }: Divergence, choices: Choices): void {
  const stand = choices.changed ? changed.flatMap(({ wanted, live }) => (isDefault(live) ? [] : [wanted])) : [];
  const back = missing.filter((part) => bringerOf(planning, part) !== undefined);
  for (const part of [...stand, ...back]) if (isDefault(part) && !isBarred(planning, part)) addMend(planning, part);
}

/** The step that makes it, or sees to it that it is there again with its space. */
function bringerOf({ list }: Mending, { kind, key }: Resource): number | undefined {
  const isShown = (step: PlanStep): boolean => step.kind === kind && step.key === key && step.part === 'settings';
  return list.creatorOf(kind, key) ?? (kind === 'site-space' ? list.steps.find(isShown)?.step : undefined);
}

function isDefault({ body }: Resource): boolean {
  return body['default'] === true;
}

function addMend(planning: Mending, part: Resource): void {
  const { list, reader, live } = planning;
  const [field] = Object.entries(SITE_DEFAULTS).find(([, kind]) => kind === part.kind) ?? [];
  const site = keyAbove(part.key);
  const section = part.kind === 'site-space' ? textAt(part.body, 'section') : undefined;
  const [kind, key] =
    section === undefined ? (['site', site] as const) : (['site-section', `${site}/${section}`] as const);
  const holder = reader.one(kind, key);
  // What is made anew is made with what it opens with.
  if (field === undefined || !holder || live.one(kind, key) === undefined) return;
  const isBeside = ({ body }: Resource): boolean => textAt(body, 'section') === section;
  const beside = [...live.resources(part.kind, site)].filter(isBeside);
  // The only one there is needs no choice.
  if (beside.length === 0 && [...reader.resources(part.kind, site)].filter(isBeside).length < 2) return;
  const mend: Mend = { expects: null, fields: [{ field, from: defaultAmong(beside)?.id ?? null, to: part.id }] };
  const needs = [bringerOf(planning, part)];
  list.add({ part: 'defaults', of: holder, note: `opens with ${titleOf(part)}`, needs, mend });
}

/** The site that an organization shows first: set back where it differs; without being asked for where its site is made anew, since nothing else took it away. */
export function addDefaultContentMend(planning: Mending, changed: readonly Changed[], choices: Choices): void {
  const own = changed.find(({ wanted: { kind } }) => kind === 'organization');
  const one = own ?? stillNaming(planning);
  if (one !== undefined) addContentMend(planning, one, choices);
}

/** The organization that goes on to name the site which was there before the one that is made anew. */
function stillNaming({ list, reader, live, organization }: Mending): Changed | undefined {
  const [wanted, now] = [reader, live].map((side) => side.one('organization', organization));
  if (wanted === undefined || now === undefined) return undefined;
  const isAnew = list.creatorOf('site', `${organization}/${siteOf(wanted) ?? ''}`) !== undefined;
  return isAnew ? { wanted, live: now } : undefined;
}

function addContentMend(planning: Mending, { wanted, live: now }: Changed, choices: Choices): void {
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
    return list.addUnsupported(wanted, `site ${title}, which was shown first, is not there`);
  const note = to === undefined ? 'no site is shown first' : `site ${title} is shown first`;
  const mend: Mend = { expects: null, fields: [{ field: 'defaultContent', from: from ?? null, to: to ?? null }] };
  list.add({ part: 'defaults', of: wanted, note, needs: [created], mend });
}

function siteOf({ body }: Resource): string | undefined {
  const content = body['defaultContent'];
  return isRecord(content) ? textAt(content, 'site') : undefined;
}
