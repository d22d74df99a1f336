// Titles that neither an import nor an edit of a text keeps, in a space that stands: of what comes back, of what is mended, and of the
// pages above, which are imported along with it and are to stay as they are.
import type { Page } from '../../../contract/index.ts';
import type { Resource } from '../../../mirror/index.ts';
import { isLostTitle, titleIn } from '../../special/lost-titles.ts';
import { textAt } from '../../resource.ts';
import type { ApplyContext, PageMend, PlanStep } from '../../types.ts';
import type { ContentChange } from '../../target/own-request.ts';
import { titleChanges, type TitledPage } from './title-changes.ts';

interface Batch {
  /** The pages as they stand in the change request, what was missing among them. */
  readonly now: readonly Page[];
  /** What is done to them before. */
  readonly edits: readonly ContentChange[];
}

/** The edits that go last, since an edit of a text makes a title of its first heading. */
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
