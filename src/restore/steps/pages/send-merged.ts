// Edits of what an import has left out, in a space that nobody edits through a change request of the restore yet: one that is merged at once.
import { UNDER_WAY_STATUSES } from '../../../contract/index.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../../types.ts';
import { withBoth, withLacks } from '../../with-problems.ts';
import { nothing } from '../original.ts';
import { archiveRequest, createRequest, findRequest, mergeRequest } from '../../target/own-request.ts';
import { isNone, NOT_EDITED, sendBeside, type Beside } from './send-beside.ts';

export interface Sending {
  readonly spaceId: string;
  readonly beside: Beside;
}

/** Where nothing of it is taken, the change request is not left behind. */
export async function sendMerged(
  context: ApplyContext,
  step: PlanStep,
  { spaceId, beside }: Sending,
): Promise<StepOutcome> {
  if (isNone(beside)) return nothing;
  const begun = await findRequest(context, step, { spaceId, among: UNDER_WAY_STATUSES });
  const request = begun ?? (await createRequest(context, step, spaceId));
  const path = { spaceId, changeRequestId: request.id };
  const sent = await sendBeside(context, path, beside);
  if (sent === null || !sent.isAny) {
    await archiveRequest(context, path);
    return withLacks(nothing, sent?.refused ?? [NOT_EDITED]);
  }
  const { isBoth } = await mergeRequest(context, path);
  return withLacks(withBoth({ newId: null, how: `change request ${request.number}` }, isBoth), sent.refused);
}
