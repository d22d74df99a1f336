// Links out of a space, set once what they lead to has its new ids, where the target has no import to bring the same content again.
import { AddressLinks } from '../links/address-links.ts';
import { linkedElsewhere } from '../links/links.ts';
import { isRequest } from '../target/content-there.ts';
import { nothing } from '../steps/original.ts';
import type { ImportJob } from '../steps/content/import-whole.ts';
import { mergeRequest, type ContentChange } from '../target/own-request.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../types.ts';
import { withBoth, withLacks } from '../with-problems.ts';
import { contentOfSource, requestOf } from './insert-content.ts';
import { textMeant, titleSent } from './page-insertion.ts';
import { writeTexts } from './write-texts.ts';

/** Writes the texts that link into other spaces once more; in a change request of the step, unless the content waits in one. */
export async function insertLinks(
  context: ApplyContext,
  step: PlanStep,
  { source, into }: ImportJob,
): Promise<StepOutcome> {
  const links = new AddressLinks(context.addresses, source.space);
  const changes = contentOfSource(context, source).pages.flatMap((one): ContentChange[] => {
    const page = context.ids.get(one.kind, one.key);
    if (page === undefined || linkedElsewhere(links.byId(one.text), source.space).length === 0) return [];
    return [{ type: 'update_page', page, title: titleSent(one.body), document: { markdown: textMeant(context, one) } }];
  });
  if (changes.length === 0) return nothing;
  if (isRequest(into)) return withLacks(nothing, await writeTexts(context, into, { anew: changes }));
  const own = await requestOf(context, step, into.spaceId);
  const path = { ...into, changeRequestId: own.id };
  const done = { newId: null, how: `change request ${own.number}` };
  if (own.status === 'merged') return done;
  const refused = await writeTexts(context, path, { anew: changes });
  const { isBoth } = await mergeRequest(context, path);
  return withLacks(withBoth(done, isBoth), refused);
}
