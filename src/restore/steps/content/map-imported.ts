// What an import has made, once it is shown, and which pages that were to come it did not bring.
import type { Revision } from '../../../contract/index.ts';
import type { SpaceLayout } from '../../../export/index.ts';
import type { Outlined } from '../../../mirror/index.ts';
import { kindsOf, pagesInOrder, type ContentSource } from '../../content/import-parts.ts';
import { pagesAsked } from '../../selection/chosen-content.ts';
import { LinkPages } from '../../links/link-pages.ts';
import { titleOf } from '../../resource.ts';
import type { ApplyContext, StepOutcome } from '../../types.ts';
import { contentAfter } from '../../target/content-there.ts';
import { mapContent } from './import-archive.ts';
import type { ImportJob } from './import-whole.ts';

type Made = NonNullable<StepOutcome['map']>;

interface Mapped {
  /** What stands there then. */
  readonly made: Revision;
  readonly map: Made;
}

/** Waits for what was imported to be shown. */
export async function mapImported(
  context: ApplyContext,
  { source, into }: ImportJob,
  { revision, layout }: { readonly revision: string; readonly layout?: SpaceLayout | undefined },
): Promise<Mapped> {
  const mapped = (made: Revision): Made => mapContent(context, { source, made, layout });
  const isAll = (made: Revision): boolean => Object.keys(notFound(context, source, mapped(made))).length === 0;
  const made = await contentAfter(context, { into, revision, isAll });
  return { made, map: mapped(made) };
}

/** Titles of pages that were imported and that the platform shows nowhere, by key. */
export function notFound(context: ApplyContext, source: ContentSource, map: Made): Record<string, string> {
  const kind = kindsOf(source).pages[0];
  const lost = pagesLost(context, source, ({ key }) => map[kind]?.[key] !== undefined);
  return Object.fromEntries(lost.map((page) => [page.key, titleOf(page)]));
}

/** The pages that were to come and are not there. */
export function pagesLost(
  context: ApplyContext,
  source: ContentSource,
  isThere: (page: Outlined) => boolean,
): Outlined[] {
  const asked = pagesAsked(context.plan, source);
  const linkPages = new LinkPages(context.reader, source, context.addresses);
  // Of links, some come with a later import, and some with none, as the plan says.
  const isSent = (page: Outlined): boolean =>
    !linkPages.isBeyondImport(page) && (source.leads !== undefined || !linkPages.isLate(page));
  const isLost = (page: Outlined): boolean => !isThere(page) && asked?.has(page.key) !== false && isSent(page);
  return pagesInOrder(context.reader, source).filter(isLost);
}
