// What an import does not keep of the pages of a change request, set by edits in the same: of all of them, since all were imported.
import { textIn, type ContentSource } from '../../content/import-parts.ts';
import { isLostTitle, titleIn } from '../../special/lost-titles.ts';
import { beyondImport, isFileless } from '../../special/page-fields.ts';
import type { Outlined } from '../../../mirror/index.ts';
import type { ApplyContext, StepOutcome } from '../../types.ts';
import { withLacks } from '../../with-problems.ts';
import { fieldsShown } from '../pages/fields-shown.ts';
import { NOT_EDITED, sendBeside } from '../pages/send-beside.ts';
import { titleChanges } from '../pages/title-changes.ts';
import { contentOf, type RequestPath } from './content-there.ts';

interface Imported {
  readonly source: ContentSource;
  readonly path: RequestPath;
  readonly outcome: StepOutcome;
}

export async function withBeside(context: ApplyContext, { source, path, outcome }: Imported): Promise<StepOutcome> {
  const { reader } = context;
  const made = outcome.map?.['change-request-page'] ?? {};
  const outline = [...reader.outline('change-request-page', `${source.space}/${source.changeRequest ?? ''}`)];
  const imported = outline.flatMap((page) => {
    const now = made[page.key];
    return !page.holds || now === undefined ? [] : [{ ...page, now }];
  });
  const titled = imported.filter(({ body }) => isLostTitle(titleIn(body)));
  const shown = imported.filter((page) => isShown(context, source.space, page));
  if (titled.length + shown.length === 0) return outcome;
  const { pages } = await contentOf(context, path);
  context.ids.addAll(outcome.map ?? {});
  const wanted = titled.map(({ now, key, id, body }) => ({
    id: now,
    title: titleIn(body),
    text: textIn(reader, source, { id, key }),
  }));
  const sent = await sendBeside(context, path, {
    titles: titleChanges(context, wanted, { source, pages }),
    fields: fieldsShown(
      shown.map(({ now, body }) => ({ id: now, body })),
      pages,
    ),
    pages,
  });
  return withLacks(outcome, sent?.refused ?? [NOT_EDITED]);
}

/** A group or link that shows something, there or in the space, whose values a change request begins with. */
function isShown({ reader }: ApplyContext, space: string, { id, body }: Outlined): boolean {
  if (!isFileless(body)) return false;
  const stands = reader.one('page', `${space}/${id}`);
  return beyondImport(body).length > 0 || (stands !== undefined && beyondImport(stands.body).length > 0);
}
