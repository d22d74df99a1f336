// Edits that give pages the titles that an import did not keep.
import { oneLine } from '../../../export/index.ts';
import type { Page } from '../../../contract/index.ts';
import type { ContentSource } from '../../content/import-parts.ts';
import { leadingWithin } from '../../journal/id-map.ts';
import { turned } from '../../links/address-links.ts';
import { isLostTitle, titleIn } from '../../special/page-fields.ts';
import { pagesById } from '../../special/page-places.ts';
import type { ApplyContext, PageMend, PlanStep } from '../../types.ts';
import type { ContentChange } from '../../target/own-request.ts';
import type { Resource } from '../../../mirror/index.ts';
import { textAt } from '../../resource.ts';

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

interface Batch {
  /** The pages as they stand in the change request, what was missing among them. */
  readonly now: readonly Page[];
  /** What is done to them before. */
  readonly edits: readonly ContentChange[];
}

/**
 * Titles that neither an import nor an edit of a text keeps, in a space that stands. These edits go last, since one of a text makes a
 * title of its first heading.
 */
export function keptTitles(context: ApplyContext, step: PlanStep, { now, edits }: Batch): ContentChange[] {
  const titled = new Set(
    edits.flatMap((one) =>
      one.type === 'update_page' && (one.title !== undefined || one.document !== undefined) ? [one.page] : [],
    ),
  );
  return titleChanges(context, titlesMeant(context, step), {
    source: { space: step.key },
    pages: now,
    isTitled: (id) => titled.has(id),
  });
}

/** Pages whose titles are to be such ones: those that are mended as the snapshot has them, all others as they stood. */
function titlesMeant({ live, reader, ids }: ApplyContext, { key, pages }: PlanStep): TitledPage[] {
  const meant = new Map<string, TitledPage>();
  const note = (id: string, titled: Resource | undefined, written = titled): void => {
    const title = titled && titleIn(titled.body);
    if (title === undefined || !isLostTitle(title)) meant.delete(id);
    else meant.set(id, { id, title, text: written?.text ?? null });
  };
  for (const { id, key: page, holds, body } of live?.outline('page', key) ?? [])
    if (holds && isLostTitle(titleIn(body))) note(id, live?.one('page', page));
  for (const { id, of = id, why } of pages?.changed ?? []) {
    const [wanted, stood] = [reader.one('page', `${key}/${of}`), live?.one('page', `${key}/${id}`)];
    const [isTitled, isWritten] = ['title', 'text'].map((what) => of !== id || why.includes(what));
    note(id, isTitled || isWritten ? wanted : stood, isWritten ? wanted : stood);
  }
  for (const mend of pages?.missing ?? []) {
    const [now, wanted] = [ids.byId('page', mend.id), reader.one('page', `${key}/${mend.id}`)];
    if (now !== undefined && wanted && !keepsOtherTitle(mend, wanted)) note(now, wanted);
  }
  return [...meant.values()];
}

/** A link that comes back under another title than it had, since another page has its own. */
function keepsOtherTitle({ importedAs, fields = [] }: PageMend, { body }: Resource): boolean {
  return importedAs !== undefined && fields.length === 0 && textAt(body, 'type') === 'link';
}
