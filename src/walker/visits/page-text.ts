// Which pages have a text of their own. A change request mostly shows the texts of its space: what is the same there is neither
// read nor kept a second time.
import { isRecord } from '../../base/index.ts';
import { itemsOf } from '../../client/index.ts';
import { keyOf, lackingBeside, sharesText, type Mirror } from '../../mirror/index.ts';
import type { KindName } from '../../contract/index.ts';
import { isThere, type Body } from './parts.ts';

const WITHOUT_TEXT: readonly unknown[] = ['group', 'link'];
const KNOWN: readonly unknown[] = ['document', ...WITHOUT_TEXT];

/** True for a page that says that it has a text: by the id of it, or since it is computed. */
export function tellsOfText(page: Body): boolean {
  return !WITHOUT_TEXT.includes(page['type']) && (isThere(page['documentId']) || isThere(page['computed']));
}

/** True for one that says so, and for one of a type that we do not know, which may have a text. */
export function hasText(page: Body): boolean {
  return tellsOfText(page) || !KNOWN.includes(page['type']);
}

/** True for a document of which the tree tells neither a text nor that it is computed: it is empty, or the tree tells of no texts. */
export function isUntold(page: Body): boolean {
  return page['type'] === 'document' && !tellsOfText(page);
}

/** True when some document in a tree, or below one, has the id of its text: then one without is empty. */
export function tellsTexts(pages: unknown): boolean {
  for (const page of itemsOf(pages))
    if (isRecord(page) && (isThere(page['documentId']) || tellsTexts(page['pages']))) return true;
  return false;
}

/** True for a document, or a page of a type that we do not know, that people may write into. */
function isWritten(page: Body): boolean {
  return !WITHOUT_TEXT.includes(page['type']) && !isThere(page['computed']);
}

/** True when some page in a tree, or below one, tells when it is edited: then one that does not never was. */
export function tellsEdits(pages: unknown): boolean {
  for (const page of itemsOf(pages)) {
    if (!isRecord(page)) continue;
    const isTold = isWritten(page) && (isThere(page['documentId']) || isThere(page['updatedAt']));
    if (isTold || tellsEdits(page['pages'])) return true;
  }
  return false;
}

/** True for a page that may have another text by now, although its tree tells of it as before. */
export function hidesEdits(page: Body, tells: () => boolean): boolean {
  if (isWritten(page)) return !tells();
  return isThere(page['computed']) && !isThere(page['computedSeed']) && !isThere(page['updatedAt']);
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

interface Beside {
  /** Number of a revision. */
  readonly scope: number;
  readonly kind: KindName;
  readonly beside: KindName;
}

/** Parameters of a page of a revision that has a text of its own and nothing of the other kind beside it; undefined where none does. */
export function firstWithout(mirror: Mirror, { scope, kind, beside }: Beside): PageText['params'] | undefined {
  return lackingBeside(mirror, { scope, kind, beside }).find((params) => !isShared(mirror, { kind, params }));
}
