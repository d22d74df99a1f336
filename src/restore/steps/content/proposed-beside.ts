// What an import does not keep of the pages of a change request, set by edits in the same: of all of them, since all were imported.
import { textIn, type ContentSource } from '../../content/import-parts.ts';
import { titleIn } from '../../special/lost-titles.ts';
import { proposedNotImported } from '../../special/not-imported.ts';
import type { Outlined } from '../../../mirror/index.ts';
import type { ApplyContext, StepOutcome } from '../../types.ts';
import { withLacks } from '../../with-problems.ts';
import { fieldsShown } from '../pages/fields-shown.ts';
import { documentsSaying, lostFields } from '../pages/lost-fields.ts';
import { NOT_EDITED, sendBeside } from '../pages/send-beside.ts';
import { titleChanges } from '../pages/title-changes.ts';
import { contentOf, type RequestPath } from '../../target/content-there.ts';

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
