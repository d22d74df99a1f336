// A space that a restore made was changed after the last write that is noted of a run that was cut off. Where an import of the restore
// itself was under way then, what it left tells whether that was the change: such a space is the restore's own again.
import type { Revision } from '../../../contract/index.ts';
import { pagesAsked } from '../../selection/chosen-content.ts';
import { kindsOf, pagesInOrder, type ContentSource } from '../../content/import-parts.ts';
import { isLastChange, settleOwnSpace } from '../../journal/made-spaces.ts';
import { LinkPages } from '../../links/link-pages.ts';
import { flatten } from '../../special/page-places.ts';
import type { ApplyContext } from '../../types.ts';
import { contentOf, editsIn } from '../../target/content-there.ts';
import { mapContent } from './import-archive.ts';
import type { ImportJob } from './import-whole.ts';

/** The content is as imports leave it in a new space, none of its pages edited since: what was under way has made that. */
export function ownWhereImported(context: ApplyContext, source: ContentSource, made: Revision): boolean {
  if (!isLast(context, source, made) || !isOfSource(context, source, made)) return false;
  if ([...editsIn(made).values()].some((at) => at !== '')) return false;
  settleOwnSpace(context.journal, source.space);
  return true;
}

/**
 * Imports what may be there already. A page that an import of the restore wrote once more bears the time of that as if somebody had
 * edited it: it is the restore's own when the same import leaves it alone.
 */
export async function ownWhereUntouched<T>(
  context: ApplyContext,
  { source, into }: ImportJob,
  work: () => Promise<T>,
): Promise<T> {
  if (context.journal.cutOffAt(source.space) === undefined) return work();
  const before = await contentOf(context, into);
  const isOpen =
    !ownWhereImported(context, source, before) &&
    isLast(context, source, before) &&
    isOfSource(context, source, before);
  const outcome = await work();
  if (!isOpen) return outcome;
  const now = editsIn(await contentOf(context, into));
  const isTouched = [...editsIn(before)].some(([id, at]) => at !== '' && now.get(id) !== at);
  if (!isTouched) settleOwnSpace(context.journal, source.space);
  return outcome;
}

/** Nothing but its content was changed since: titles, comments and the like move the time of the space alone. */
function isLast({ journal }: ApplyContext, { space }: ContentSource, { createdAt }: Revision): boolean {
  return isLastChange(journal, space, createdAt);
}

/** Nobody added to it or took from it: imports in parts bring the pages in their order. */
function isOfSource(context: ApplyContext, source: ContentSource, made: Revision): boolean {
  const map = mapContent(context, { source, made });
  const {
    pages: [pageKind],
    files: [fileKind],
  } = kindsOf(source);
  const [pages, files] = [map[pageKind] ?? {}, map[fileKind] ?? {}];
  const isAll = flatten(made.pages).length === Object.keys(pages).length;
  if (!isAll || made.files.length !== Object.keys(files).length) return false;
  const asked = pagesAsked(context.plan, source);
  const linkPages = new LinkPages(context.reader, source, context.addresses);
  // Link pages come with a later import.
  const wanted = pagesInOrder(context.reader, source).filter(
    (page) => asked?.has(page.key) !== false && (pages[page.key] !== undefined || !linkPages.isLate(page)),
  );
  const first = wanted.findIndex(({ key }) => pages[key] === undefined);
  return first === -1 || first === Object.keys(pages).length;
}
