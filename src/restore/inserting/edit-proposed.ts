// In a change request: what it proposes about pages that stand in its space.
import type { ContentSource } from '../content/import-parts.ts';
import { fieldAsSet, isFileless, PAGE_FIELDS } from '../special/page-fields.ts';
import type { Resource } from '../../mirror/index.ts';
import type { ContentChange, RequestPath } from '../steps/own-request.ts';
import type { ApplyContext } from '../types.ts';
import { textMeant, titleSent } from './page-insertion.ts';
import { writeTexts } from './write-texts.ts';

type Update = Extract<ContentChange, { type: 'update_page' }>;

interface Proposed {
  readonly path: RequestPath;
  /** Ids of the pages on the target that it has from its space. */
  readonly standing: ReadonlySet<string>;
}

/** Sets what differs from the page of the space, as the snapshot has both; says what the target refused of it. */
export async function editProposed(
  context: ApplyContext,
  { space, changeRequest = '' }: ContentSource,
  { path, standing }: Proposed,
): Promise<string[]> {
  const changes: ContentChange[] = [];
  for (const page of context.reader.resources('change-request-page', `${space}/${changeRequest}`)) {
    const now = context.ids.get('change-request-page', page.key);
    const base = context.reader.one('page', `${space}/${page.id}`);
    if (now === undefined || base === undefined || !standing.has(now)) continue;
    const fields = PAGE_FIELDS.filter((field) => fieldAsSet(page.body, field) !== fieldAsSet(base.body, field));
    const isText = !isFileless(page.body) && page.text !== null && page.text !== base.text;
    if (fields.length === 0 && !isText) continue;
    changes.push({
      type: 'update_page',
      page: now,
      ...Object.fromEntries(fields.map((field) => [field, fieldAsSet(page.body, field)])),
      ...(isText ? textChange(context, page) : {}),
    });
  }
  return writeTexts(context, path, { anew: changes });
}

/** A title that no edit keeps is set after it. */
function textChange(context: ApplyContext, { key, body, text }: Resource): Pick<Update, 'title' | 'document'> {
  return { title: titleSent(body), document: { markdown: textMeant(context, { key, body, text: text ?? '' }) } };
}
