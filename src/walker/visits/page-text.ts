// Which pages have a text of their own. A change request mostly shows the texts of its space: what is the same there is neither
// read nor kept a second time.
import { isRecord } from '../../base/index.ts';
import { itemsOf } from '../../client/index.ts';
import { keyOf, sharesText, type Mirror } from '../../mirror/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { Body } from './parts.ts';

/** False for groups and links, and for a document without an id of its text, which is empty. */
export function hasText(page: Body): boolean {
  if (page['type'] === 'group' || page['type'] === 'link') return false;
  return isThere(page['documentId']) || isThere(page['computed']) || page['type'] !== 'document';
}

/** True for a document of which the tree tells neither a text nor that it is computed: it is empty, or the tree tells of no texts. */
export function isUntold(page: Body): boolean {
  return page['type'] === 'document' && !hasText(page);
}

/** True for a page that tells of no text and is no document, which alone must have one: so it may be where the type is a new one. */
export function needsNoText(page: Body): boolean {
  return page['type'] !== 'document' && !isThere(page['documentId']) && !isThere(page['computed']);
}

/** True when some document in a tree, or below one, has the id of its text: then one without is empty. */
export function tellsTexts(pages: unknown): boolean {
  for (const page of itemsOf(pages))
    if (isRecord(page) && (isThere(page['documentId']) || tellsTexts(page['pages']))) return true;
  return false;
}

/** Some platforms say null where others leave a field out. */
function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

interface PageText {
  readonly kind: KindName;
  readonly params: Readonly<Record<string, string>>;
}

/** True for a page of a change request whose text is that of the page in its space. */
export function isShared(mirror: Mirror, { kind, params }: PageText): boolean {
  if (kind !== 'change-request-page') return false;
  return sharesText(mirror, { own: keyOf(kind, params), main: keyOf('page', params) });
}
