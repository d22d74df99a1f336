// What is missing from a space that stands goes into a change request by one import, or by several where it is too much for one.
import type { ImportResult, Revision } from '../../../contract/index.ts';
import { isTooMuch } from '../../answers.ts';
import { halved, type Part } from '../../content/import-parts.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { contentAfter, type RequestPath } from '../content/content-there.ts';
import { importArchive, sumOf } from '../content/import-archive.ts';
import { isMisplaced, stoodIn, type Stood } from './misplaced-import.ts';
import { mapMissing, notFound } from './missing-map.ts';
import { asPart, forgetBrought, halvesFor, keepHalfSent, keepSent, partsAllowed, stepOfPart } from './missing-parts.ts';
import { missingSource, type MissingPart } from './page-source.ts';

/** Where it goes, and what an import has to leave there. */
export interface Place {
  readonly into: RequestPath;
  /** What stands in it. */
  readonly before: Revision;
  readonly stood: Stood;
}

interface Sent {
  /** What stands there then. */
  readonly made: Revision;
  readonly told: Partial<ImportResult>;
}

/** Sends all and notes the new ids. Answers `misplaced` for an import that left the change request so that it must not be merged. */
export async function sendImports(context: ApplyContext, step: PlanStep, place: Place): Promise<Sent | 'misplaced'> {
  const allowed = partsAllowed(context, step);
  if (allowed !== null) return sendParts(context, step, { ...place, parts: allowed });
  try {
    return await sendOne(context, step, place);
  } catch (error) {
    const halves = halvesFor(context, step, error);
    if (halves === null) throw error;
    return sendParts(context, step, { ...place, parts: halves });
  }
}

interface OnePlace extends Place {
  /** Of what the step brings; everything without. */
  readonly part?: MissingPart;
}

async function sendOne(
  context: ApplyContext,
  step: PlanStep,
  { into, before, stood, part }: OnePlace,
): Promise<Sent | 'misplaced'> {
  const own = part === undefined ? step : stepOfPart(step, part);
  const told = await importArchive(context, step, { layout: missingSource(context, step, part), into });
  const isAll = (now: Revision): boolean => {
    // Of files and looks alone, nothing else tells the state before the import from that after it.
    if (now.id === before.id) return false;
    // What is given up is not to be noted as what was brought.
    if (isMisplaced(context, own, { stood, now })) return true;
    mapMissing(context, own, now);
    return notFound(context, own).length === 0;
  };
  const made = await contentAfter(context, { into, revision: told.revision, isAll });
  if (isMisplaced(context, own, { stood, now: made })) return 'misplaced';
  mapMissing(context, own, made);
  return { made, told };
}

interface PartsPlace extends Place {
  readonly parts: readonly Part[];
}

/** Each part in turn; then all once more, as links between them can be written only when every page has its id. */
async function sendParts(context: ApplyContext, step: PlanStep, place: PartsPlace): Promise<Sent | 'misplaced'> {
  keepHalfSent(context, step, place.into.changeRequestId);
  const first = await sendEach(context, step, place);
  if (first === 'misplaced') return first;
  const { made, parts } = first;
  const again = await sendEach(context, step, { ...placeAfter(place, made), parts });
  if (again === 'misplaced') return again;
  keepSent(context, step, parts.length);
  return { made: again.made, told: first.told };
}

function placeAfter({ into }: Place, made: Revision): Place {
  return { into, before: made, stood: stoodIn(made) };
}

interface SentParts extends Sent {
  readonly parts: readonly Part[];
}

/** A part that the platform refuses is halved, down to single pages. */
async function sendEach(
  context: ApplyContext,
  step: PlanStep,
  { parts, ...begun }: PartsPlace,
): Promise<SentParts | 'misplaced'> {
  let place: Place = begun;
  const waiting = [...parts];
  const sent: Part[] = [];
  const results: Partial<ImportResult>[] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const part = asPart(context, step, { part: next, isLast: waiting.length === 0 });
    try {
      const one = await sendOne(context, step, { ...place, part });
      if (one === 'misplaced') {
        forgetBrought(context, step);
        return one;
      }
      sent.push(next);
      results.push(one.told);
      place = placeAfter(place, one.made);
    } catch (error) {
      const halves = isTooMuch(error) ? halved(next) : null;
      if (halves === null) throw error;
      waiting.unshift(...halves);
    }
  }
  return { parts: sent, made: place.before, told: sumOf(results) };
}
