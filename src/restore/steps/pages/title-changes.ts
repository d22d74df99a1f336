// Edits that give pages the titles that an import did not keep.
import { oneLine } from '../../../export/index.ts';
import type { Page } from '../../../contract/index.ts';
import type { ContentSource } from '../../content/import-parts.ts';
import { leadingWithin } from '../../journal/ids-within.ts';
import { turned } from '../../links/address-links.ts';
import { isLostTitle } from '../../special/lost-titles.ts';
import { pagesById } from '../../special/page-places.ts';
import type { ApplyContext } from '../../types.ts';
import type { ContentChange } from '../../target/own-request.ts';

export interface TitledPage {
  /** On the target. */
  readonly id: string;
  readonly title: string;
  /** As the snapshot has it; null for what has none. */
  readonly text: string | null;
}

interface Standing {
  /** The space or change request of the snapshot that they stand in. */
  readonly source: ContentSource;
  /** The pages as an import left them. */
  readonly pages: readonly Page[];
  /** True for a page that an edit before, in the same batch, gives a title. */
  readonly isTitled?: (id: string) => boolean;
}

export function titleChanges(
  { ids, addresses, shown, live }: Pick<ApplyContext, 'ids' | 'addresses' | 'shown' | 'live'>,
  wanted: readonly TitledPage[],
  { source, pages, isTitled = () => false }: Standing,
): ContentChange[] {
  const turning = { ...leadingWithin(ids, source), addresses, shown, isInPlace: live !== null };
  const there = pagesById(pages);
  return wanted.flatMap(({ id, title, text }): ContentChange[] => {
    const now = there.get(id);
    if (now === undefined || (now.title === title && !isTitled(id))) return [];
    const body = text === null || now.type !== 'document' ? null : bodyBelow(turned(text, turning), title);
    // The operation takes the first heading of a text for the title, so the title comes after it.
    const document = { markdown: `# ${oneLine(title) || PLACE}\n\n${body ?? ''}` };
    return [
      ...(body === null ? [] : [{ type: 'update_page', page: id, document } as const]),
      { type: 'update_page', page: id, title },
    ];
  });
}

/** Holds the place of an empty title until that is set. */
const PLACE = 'Untitled';

/** The text below a title whose heading an import cannot tell from it: an empty one, or one of several lines. Null where it can. */
function bodyBelow(text: string, title: string): string | null {
  const heading = `# ${title}`;
  const isTold = title !== '' && !/[\r\n\u2028\u2029]/.test(title);
  if (isTold || !isLostTitle(title) || !text.startsWith(heading)) return null;
  const rest = text.slice(heading.length);
  return rest === '' || /^\r?\n/.test(rest) ? rest.replace(/^(?:[ \t]*\r?\n)+/, '') : null;
}
