// Texts of pages that stand in a change request, written once more. One that the target refuses is not to keep the others away.
import { asSent, settleHeadings } from '../steps/headings.ts';
import { batchesOf, sendChanges, type ContentChange, type RequestPath } from '../steps/own-request.ts';
import type { ApplyContext } from '../types.ts';
import { sendByHalves } from './refusals.ts';

/** Says which were refused, and why. What differs from them by its habit of headings alone is settled with them. */
export async function writeTexts(
  context: ApplyContext,
  path: RequestPath,
  { anew, all = anew }: { readonly anew: readonly ContentChange[]; readonly all?: readonly ContentChange[] },
): Promise<string[]> {
  const refused: string[] = [];
  const send = async (batch: readonly ContentChange[]): Promise<void> => {
    await sendChanges(context, path, batch);
  };
  for (const batch of batchesOf(asSent(context.headings, anew)))
    refused.push(...(await sendByHalves(batch, { send, nameOf })));
  await settleHeadings(context, path, all);
  return refused;
}

function nameOf(change: ContentChange): string {
  return `the edit of page ${('title' in change && change.title) || ('page' in change ? change.page : '')}`;
}
