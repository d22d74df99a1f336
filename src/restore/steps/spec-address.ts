// A specification that was made from its address comes without its text where the platform cannot read that: then its text goes in instead.
import type { Body } from '../resource.ts';
import { textAt } from '../resource.ts';
import { currentText } from '../special/spec-text.ts';
import type { ApplyContext, PlanStep, StepOutcome } from '../types.ts';
import { inOrganization } from './created.ts';
import { gone } from './live-object.ts';
import { original, setting } from './original.ts';
import { unlessGone } from '../answers.ts';

const LOOK_EACH_MS = 1000;
const LONGEST_MS = 60_000;

/** The platform reads all of them at the same time, so all have one time to be read in. */
export class SpecReading {
  #until: number | null = null;

  /** Until when, by the monotonic clock, the platform is waited for: since the first was, or one was last seen to come to its end. */
  until({ clock }: Pick<ApplyContext, 'clock'>): number {
    this.#until ??= clock.monotonic() + LONGEST_MS;
    return this.#until;
  }

  /** One that was waited for is read: those after it have their time anew, as where the platform reads one after the other. */
  goesOn(): void {
    this.#until = null;
  }
}

/** Once everything else stands, as the platform reads addresses beside that. One that has a text is left alone. */
export const giveText = setting(async (context, step): Promise<StepOutcome> => {
  const spec = original(context, step);
  const path = { ...inOrganization(context), specSlug: spec.id };
  const read = await readByNow(context, step, path);
  if (textAt(read, 'lastVersion') !== undefined) return { newId: null };
  const address = textAt(spec.body, 'sourceURL') ?? '';
  if (!isSettled(read))
    return { newId: null, problem: `the platform is still reading ${address}: look whether its text has come` };
  const why = `the platform could not read ${address} (${textAt(read, 'lastProcessErrorCode') ?? 'it does not say why'})`;
  const text = currentText(context.reader, spec);
  if (text === null)
    return { newId: null, problem: `${why}, and the snapshot does not hold its text: it is there without one` };
  await context.client.call('putOpenApiSpec', { path, body: { source: { text } } });
  const then = 'it was given the text of its newest version instead; give it its address again once that answers';
  return { newId: null, problem: `${why}: ${then}`, how: 'its text' };
});

/** Which other states there are the API document does not say: in any of them it may still be read. */
function isSettled(spec: Body): boolean {
  const told = textAt(spec, 'lastVersion') ?? textAt(spec, 'lastProcessErrorCode');
  return told !== undefined || spec['processingState'] === 'complete';
}

/** What the platform has made of it, when it is done with that or has taken too long over all of them. */
async function readByNow(
  context: ApplyContext,
  step: PlanStep,
  path: { readonly organizationId: string; readonly specSlug: string },
): Promise<Body> {
  const { client, clock, signal, specReading } = context;
  for (let isFirst = true; ; isFirst = false) {
    const spec = await unlessGone(client.callRaw('getOpenApiSpec', { path }));
    if (spec === undefined) throw gone(step);
    const body = spec as Body;
    if (isSettled(body)) {
      if (!isFirst) specReading.goesOn();
      return body;
    }
    if (clock.monotonic() >= specReading.until(context)) return body;
    await clock.sleep(LOOK_EACH_MS, signal);
  }
}
