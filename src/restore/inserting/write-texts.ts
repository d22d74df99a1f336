// Pages that stand in a change request, edited once more. One that the target refuses is not to keep the others away.
import type { Page } from '../../contract/index.ts';
import { pagesById } from '../special/page-places.ts';
import { asSent, settleHeadings } from '../steps/pages/headings.ts';
import type { RequestPath } from '../target/content-there.ts';
import { batchesOf, sendChanges, type ContentChange } from '../target/own-request.ts';
import type { ApplyContext } from '../types.ts';
import { sendByHalves } from './refusals.ts';
import { NoWayIn } from './target-import.ts';

interface Edits {
  readonly anew: readonly ContentChange[];
  /** Those that are settled together, where they differ from these by headings alone. */
  readonly all?: readonly ContentChange[];
  /** By which those are called that get no title. */
  readonly pages?: readonly Page[];
}

/** Says which were refused, and why. Throws DM_IMPORT_FAILED where the target edits no pages at all. */
export async function writeTexts(
  context: ApplyContext,
  path: RequestPath,
  { anew, all = anew, pages = [] }: Edits,
): Promise<string[]> {
  const refused: string[] = [];
  const standing = pagesById(pages);
  const send = async (batch: readonly ContentChange[]): Promise<void> => {
    if ((await sendChanges(context, path, batch)) === null) throw new NoWayIn();
  };
  const nameOf = (change: ContentChange): string => {
    const page = 'page' in change ? change.page : '';
    return `the edit of page ${('title' in change && change.title) || (standing.get(page)?.title ?? page)}`;
  };
  for (const batch of batchesOf(asSent(context.headings, anew)))
    refused.push(...(await sendByHalves(batch, { send, nameOf })));
  return [...refused, ...(await settleHeadings(context, path, all))];
}
