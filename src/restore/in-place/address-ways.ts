// A link has no address: a page that was one, and that an import has made another of, makes way for the page whose address it has.
import type { FieldMend, PageMend } from '../types.ts';
import { textAt } from '../resource.ts';
import type { Changed, Divergence } from './divergence.ts';
import { isLink, nameBelow, otherName } from '../special/page-places.ts';

/** The name that it gets instead; null when nothing that is set back or brought back is to have its address. */
export function wayFor(
  { missing, changed }: Pick<Divergence, 'missing' | 'changed'>,
  { wanted, live }: Changed,
): FieldMend | null {
  if (!isLink(wanted) || isLink(live)) return null;
  const [space, place] = [wanted.params['spaceId'], nameBelow(live.parent, live)];
  const isOwner = changed
    .map((one) => one.wanted)
    .concat(missing)
    .some((one) => one.kind === 'page' && one.params['spaceId'] === space && nameBelow(one.parent, one) === place);
  return isOwner ? { field: 'slug', from: textAt(live.body, 'slug') ?? null, to: otherName(live) } : null;
}

/** The address that the plan says a page is set back to; undefined where it says none. */
export function addressSaid({ fields = [] }: PageMend): string | undefined {
  const to = fields.find(({ field }) => field === 'slug')?.to;
  return typeof to === 'string' ? to : undefined;
}
