// What an import does not keep of the pages of a change request, set by edits in the same: of all of them, since all were imported.
import { textIn, type ContentSource } from '../../content/import-parts.ts';
import { titleIn } from '../../special/page-fields.ts';
import { proposedNotImported } from '../../special/not-imported.ts';
import type { Outlined } from '../../../mirror/index.ts';
import type { ApplyContext, StepOutcome } from '../../types.ts';
import { withLacks } from '../../with-problems.ts';
import { NOT_EDITED, sendBeside, fieldsShown } from '../pages/send-beside.ts';
import { documentsSaying, lostFields } from '../pages/lost-fields.ts';
import { titleChanges } from '../pages/title-changes.ts';
import { contentOf, type RequestPath } from '../../target/content-there.ts';
import { textMeant, titleSent } from '../../inserting/page-insertion.ts';
import { NoWayIn } from '../../inserting/target-import.ts';
import { writeTexts } from '../../inserting/write-texts.ts';
import { linkingProposals } from '../../links/proposed-links.ts';
import { keyAbove } from '../../resource.ts';
import type { ContentChange } from '../../target/own-request.ts';

/** What came into a change request. */
export interface ImportedRequest {
  readonly source: ContentSource;
  readonly path: RequestPath;
  readonly outcome: StepOutcome;
}

export async function withBeside(
  context: ApplyContext,
  { source, path, outcome }: ImportedRequest,
): Promise<StepOutcome> {
  const { reader } = context;
  const made = outcome.map?.['change-request-page'] ?? {};
  const imported = (all: readonly Outlined[]): (Outlined & { readonly now: string })[] =>
    all.flatMap((page) => {
      const now = made[page.key];
      return now === undefined ? [] : [{ ...page, now }];
    });
  const request = `${source.space}/${source.changeRequest ?? ''}`;
  const all = proposedNotImported(reader, request);
  const [titled, shown] = [imported(all.titled), imported(all.shown)];
  const proposed = reader.outline('change-request-page', request);
  const documents = documentsSaying(context, proposed, (key) => made[key]);
  if (titled.length + shown.length + documents.length === 0) return outcome;
  const { pages } = await contentOf(context, path);
  context.ids.addAll(outcome.map ?? {});
  const wanted = titled.map(({ now, key, id, body }) => ({
    id: now,
    title: titleIn(body),
    text: textIn(reader, source, { id, key }),
  }));
  const groups = shown.map(({ now, body }) => ({ id: now, body }));
  const sent = await sendBeside(context, path, {
    titles: titleChanges(context, wanted, { source, pages }),
    fields: [...fieldsShown(groups, pages), ...lostFields(context, documents, pages)],
    pages,
  });
  return withLacks(outcome, sent?.refused ?? [NOT_EDITED]);
}

interface Proposed {
  readonly path: RequestPath;
  /** New ids of what an import brought, by key. */
  readonly made: Readonly<Record<string, string>>;
}

/** Texts of which an import has not turned all links. Says what the target refused. */
export async function writeProposedLinks(
  context: ApplyContext,
  request: string,
  { path, made }: Proposed,
): Promise<string[]> {
  const { addresses, ids, reader } = context;
  const inSpace = (id: string): string | undefined => ids.get('page', `${keyAbove(request)}/${id}`);
  const isAnew = (id: string): boolean => {
    const now = made[`${request}/${id}`];
    return now !== undefined && now !== inSpace(id);
  };
  const changes: ContentChange[] = [];
  for (const page of linkingProposals(reader, { addresses, request }, isAnew)) {
    const now = made[page.key];
    if (now === undefined) continue;
    const document = { markdown: textMeant(context, page) };
    changes.push({ type: 'update_page', page: now, title: titleSent(page.body), document });
  }
  if (changes.length === 0) return [];
  try {
    return await writeTexts(context, path, { anew: changes });
  } catch (error) {
    if (!(error instanceof NoWayIn)) throw error;
    return [NO_LINKS];
  }
}

const NO_LINKS =
  'the target has no operation that edits pages: links to groups and links that it proposes lead to the originals';
