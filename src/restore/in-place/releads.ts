// Links of the table of contents that lead to what has another id now: an import sets where they lead, once that is shown at an address.
import { canonicalJson, lazyBy } from '../../base/index.ts';
import { referenceOf, type AppAddresses } from '../../export/index.ts';
import type { Outlined } from '../../mirror/index.ts';
import { addressTurned } from '../links/address-links.ts';
import { leadingOf } from '../links/link-pages.ts';
import { NO_PAGES } from '../plan/step-list.ts';
import { firstOf, titleOf } from '../resource.ts';
import { lookIn } from '../special/looks.ts';
import type { PageMend } from '../types.ts';
import type { Changed } from './divergence.ts';
import { MissingPages } from './missing-pages.ts';
import { addPagesStep } from './pages-step.ts';
import type { Mending } from './input.ts';
import { isLink } from '../special/page-places.ts';
import type { IdMap } from '../journal/id-map.ts';

type Ids = Pick<IdMap, 'byId'>;

/**
 * Those that lead to what an earlier restore made anew are set; of those that lead to what this plan makes anew it is said that the next
 * plan sets them.
 */
export function addReleads(planning: Mending, anew: ReadonlySet<string>): void {
  const { list, live, heirs, selection } = planning;
  if (anew.size === 0 && heirs.isEmpty) return;
  // With a space all that is in it.
  const made: Ids = {
    byId: (_kind, id, within) => (anew.has(id) || anew.has(within ?? '') ? `new-${id}` : undefined),
  };
  const mended = new Set(list.steps.flatMap(({ pages }) => pages?.changed.map(({ id }) => id) ?? []));
  // Pages above a link are imported along as they stood when the plan was made: not over what it has written by then.
  const writing = new Set(list.steps.filter(({ part }) => part === 'pages').map(({ key }) => key));
  const spaces = new Map<string, PageMend[]>();
  const standing = lazyBy((space: string) => new MissingPages({ ...planning, replaceable: new Set() }, space));
  for (const outlined of live.outline('page')) {
    if (!isLink(outlined) || mended.has(outlined.id)) continue;
    const link = live.one('page', outlined.key);
    if (link === undefined || !selection.meant(link)) continue;
    if (leadsTo(planning, outlined, made)) list.addUnsupported(link, LATER);
    else if (leadsTo(planning, outlined, heirs) && isAsWanted(planning, outlined)) {
      const space = firstOf(link.key);
      const twin = standing(space).besideLink(link);
      if (twin !== undefined) list.addUnsupported(link, keepsLead(twin));
      else if (writing.has(space)) list.addUnsupported(link, AFTER);
      else spaces.set(space, [...(spaces.get(space) ?? []), { id: link.id, title: titleOf(link), why: ['href'] }]);
    }
  }
  const note = 'links of the table of contents to what an earlier restore made anew';
  for (const [space, changed] of spaces) addPagesStep(planning, space, { note, pages: { ...NO_PAGES, changed } });
}

/** Said of a link that no import can set back where another page has the address that it makes of the title. */
export function keepsLead(twin: Outlined): string {
  return `leads elsewhere now, and an import that sets it back would be written over page ${titleOf(twin)}, which has its address`;
}

const AFTER =
  'leads to what has another id now, and an import sets that only once its space is mended: the next plan in place names it';

const LATER =
  'leads to what comes back with another id, and an import sets that only once it is there: the next plan in place names it';

function leadsTo({ addresses }: Mending, { key, body }: Outlined, ids: Ids): boolean {
  const { href, target } = leadingOf(body);
  const link = referenceOf({ href, target }, addresses);
  if (link === null || link.id === '') return false;
  const isReference = referenceOf({ href: null, target }, addresses) !== null;
  const own = firstOf(key);
  return addressTurned({ ids, own, isInPlace: !isReference })(link, href ?? '');
}

/** True where a link leads to what an earlier restore made anew of what it led to. @param shown Addresses of what stands. */
export function leadsToHeir(
  { addresses, heirs }: Pick<Mending, 'addresses' | 'heirs'>,
  { wanted, live }: Changed,
  shown: AppAddresses,
): boolean {
  const [was, is] = [referenceOf(leadingOf(wanted.body), addresses), referenceOf(leadingOf(live.body), shown)];
  return was !== null && is !== null && is.rest === was.rest && is.id === heirs.byId(was.to, was.id);
}

/** What an import writes is that of the snapshot. */
function isAsWanted({ reader }: Mending, { key, body }: Outlined): boolean {
  const wanted = reader.one('page', key);
  return wanted !== undefined && canonicalJson(lookIn(wanted.body, 'href')) === canonicalJson(lookIn(body, 'href'));
}
