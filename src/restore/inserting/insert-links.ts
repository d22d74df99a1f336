// Links out of a space, set once what they lead to has its new ids, where the target has no import to bring the same content again.
import { linkedElsewhere } from '../links/links.ts';
import { nothing } from '../steps/original.ts';
import type { ImportJob } from '../steps/import-whole.ts';
import { asSent, settleHeadings } from '../steps/headings.ts';
import { sendChanges, type ContentChange, type RequestPath } from '../steps/own-request.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../types.ts';
import { contentOfSource, requestOf } from './insert-content.ts';
import { textMeant, titleSent } from './page-insertion.ts';

/** Writes the texts that link into other spaces once more; in a change request of the step, unless the content waits in one. */
export async function insertLinks(
  context: ApplyContext,
  step: PlanStep,
  { source, into }: ImportJob,
): Promise<StepOutcome> {
  const changes = contentOfSource(context, source).pages.flatMap((one): ContentChange[] => {
    const page = context.ids.get(one.kind, one.key);
    if (page === undefined || linkedElsewhere(one.text, source.space).length === 0) return [];
    return [{ type: 'update_page', page, title: titleSent(one.body), document: { markdown: textMeant(context, one) } }];
  });
  if (changes.length === 0) return nothing;
  const { space, request } = into;
  if (request !== undefined) {
    await send(context, { spaceId: space, changeRequestId: request }, changes);
    return nothing;
  }
  const own = await requestOf(context, step, space);
  const path = { spaceId: space, changeRequestId: own.id };
  if (own.status !== 'merged') {
    await send(context, path, changes);
    await context.client.call('mergeChangeRequest', { path }, { signal: context.signal });
  }
  return { newId: null, how: `change request ${own.number}` };
}

async function send(context: ApplyContext, path: RequestPath, changes: readonly ContentChange[]): Promise<void> {
  await sendChanges(context, path, asSent(context.headings, changes));
  await settleHeadings(context, path, changes);
}
