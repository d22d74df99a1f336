// Links of a change request to groups and links of its own, which no file of an import is: it does not turn them. Their texts are written
// once more, when what they lead to has its new ids.
import type { AppAddresses } from '../../export/index.ts';
import type { Outlined, Resource, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove, type Body } from '../resource.ts';
import { isFileless } from '../special/page-fields.ts';
import { AddressLinks } from './address-links.ts';
import { linksTo } from './links.ts';

interface Linking extends Pick<Resource, 'kind' | 'key' | 'id'> {
  readonly body: Body;
  readonly text: string;
}

/**
 * @param request Key of the change request.
 * @param isAnew True for a group or link of it, by its id, that is another one on the target than that of the space: it is not known before.
 */
export function* linkingProposals(
  reader: SnapshotReader,
  { addresses, request }: { readonly addresses: AppAddresses; readonly request: string },
  isAnew: (id: string) => boolean = () => true,
): IterableIterator<Linking> {
  const space = keyAbove(request);
  const links = new AddressLinks(addresses, space);
  const own = new Set<string>();
  for (const page of reader.outline('change-request-page', request)) {
    const { id, holds, body } = page;
    if (holds && isFileless(body) && isOther(page, reader.one('page', `${space}/${id}`)) && isAnew(id)) own.add(id);
  }
  if (own.size === 0) return;
  for (const page of reader.resources('change-request-page', request)) {
    const { text } = page;
    if (text !== null && linksTo(links.byId(text), own)) yield { ...page, text };
  }
}

/** What the space has too came with that; in another place, or called otherwise, an import may make it once more. */
function isOther({ body, parent }: Outlined, stands: Resource | undefined): boolean {
  if (stands === undefined || parent !== stands.parent) return true;
  return ['type', 'title', 'slug', 'path', 'href'].some((field) => body[field] !== stands.body[field]);
}

/** True where there is one; the others are not read then. */
export function hasLinkingProposals(...where: Parameters<typeof linkingProposals>): boolean {
  for (const { text } of linkingProposals(...where)) if (text !== '') return true;
  return false;
}
