// In a change request: what it proposes about pages that stand in its space, and what is its own and stands in it already.
import type { ContentSource } from '../content/import-parts.ts';
import { fieldAsSet, isFileless, PAGE_FIELDS } from '../special/page-fields.ts';
import type { Resource } from '../../mirror/index.ts';
import { textAt } from '../resource.ts';
import type { RequestPath } from '../target/content-there.ts';
import type { ContentChange } from '../target/own-request.ts';
import type { ApplyContext } from '../types.ts';
import { textMeant, titleSent } from './page-insertion.ts';
import { writeTexts } from './write-texts.ts';

type Update = Extract<ContentChange, { type: 'update_page' }>;

interface Proposed {
  readonly path: RequestPath;
  /** Ids of the pages on the target that it has already: from its space or, where it stands itself, its own. */
  readonly standing: ReadonlySet<string>;
}

/** Sets what differs from what stands in it, as the snapshots have both; says what the target refused of it. */
export async function editProposed(
  context: ApplyContext,
  { space, changeRequest = '' }: ContentSource,
  { path, standing }: Proposed,
): Promise<string[]> {
  const changes: ContentChange[] = [];
  for (const page of context.reader.resources('change-request-page', `${space}/${changeRequest}`)) {
    const now = context.ids.get('change-request-page', page.key);
    const base = baseOf(context, page, space);
    if (now === undefined || base === undefined || !standing.has(now)) continue;
    const fields = PAGE_FIELDS.filter((field) => fieldAsSet(page.body, field) !== fieldAsSet(base.body, field));
    const text = page.text ?? untouchedText(page, context.reader.one('page', `${space}/${page.id}`));
    const isText = !isFileless(page.body) && text !== null && text !== base.text;
    if (fields.length === 0 && !isText) continue;
    changes.push({
      type: 'update_page',
      page: now,
      ...Object.fromEntries(fields.map((field) => [field, fieldAsSet(page.body, field)])),
      ...(isText ? textChange(context, { ...page, text }) : {}),
    });
  }
  return writeTexts(context, path, { anew: changes });
}

/** A page that the change request did not touch has the text of its space; one that it has emptied has no text of its own any more. */
function untouchedText(page: Resource, main: Resource | undefined): string | null {
  const isEmptied = textAt(main?.body, 'documentId') !== undefined && textAt(page.body, 'documentId') === undefined;
  return isEmptied ? '' : (main?.text ?? null);
}

/** In place that of the change request as it stands; of a new one that of its space. A page that it did not touch has the text of that. */
function baseOf({ reader, live }: ApplyContext, { key, id }: Resource, space: string): Resource | undefined {
  const own = live?.one('change-request-page', key);
  if (own === undefined) return reader.one('page', `${space}/${id}`);
  return { ...own, text: own.text ?? live?.one('page', `${space}/${id}`)?.text ?? null };
}

/** A title that no edit keeps is set after it. */
function textChange(context: ApplyContext, page: Resource): Pick<Update, 'title' | 'document'> {
  const markdown = textMeant(context, { ...page, text: page.text ?? '' });
  return { title: titleSent(page.body), document: { markdown } };
}
