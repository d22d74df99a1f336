// Links of a change request to groups and links of its own, which no file of an import is: it does not turn them. Their texts are written
// once more, when what they lead to has its new ids.
import type { AppAddresses } from '../../export/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove, type Body } from '../resource.ts';
import { isFileless } from '../special/page-fields.ts';
import { AddressLinks } from './address-links.ts';
import { linksTo } from './links.ts';

export interface Linking extends Pick<Resource, 'kind' | 'key' | 'id'> {
  readonly body: Body;
  readonly text: string;
}

/** @param request Key of the change request. */
export function* linkingProposals(
  reader: SnapshotReader,
  addresses: AppAddresses,
  request: string,
): IterableIterator<Linking> {
  const space = keyAbove(request);
  const links = new AddressLinks(addresses, space);
  // What the space has too came with that, and is known by its new id before.
  const own = new Set<string>();
  for (const { id, holds, body } of reader.outline('change-request-page', request))
    if (holds && isFileless(body) && reader.one('page', `${space}/${id}`) === undefined) own.add(id);
  if (own.size === 0) return;
  for (const page of reader.resources('change-request-page', request)) {
    const { text } = page;
    if (text !== null && linksTo(links.byId(text), own)) yield { ...page, text };
  }
}

/** True where there is one; the others are not read then. */
export function hasLinkingProposals(...where: Parameters<typeof linkingProposals>): boolean {
  for (const { text } of linkingProposals(...where)) if (text !== '') return true;
  return false;
}
