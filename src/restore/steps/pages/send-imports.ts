// What is missing from a space that stands goes into a change request by one import, or by several where it is too much for one.
import type { ImportResult, Revision } from '../../../contract/index.ts';
import { isUntaken } from '../../answers.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { contentAfter, type RequestPath } from '../content/content-there.ts';
import { importArchive, sumOf } from '../content/import-archive.ts';
import { dividedPart, halvedOrLeft, Refusals, type MissingPart } from './divide-part.ts';
import { isMisplaced, stoodIn, type Stood } from './misplaced-import.ts';
import { mapMissing, notFound } from './missing-map.ts';
import { forgetBrought, keepHalfSent, keepSent, partsAllowed, stepOfPart, wholePart } from './missing-parts.ts';
import { missingSource } from './page-source.ts';
import { withoutUntaken } from './untaken-pages.ts';

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

/**
 * Sends all and notes the new ids; what is refused in any way is noted in the journal, and the rest comes without it. Answers `misplaced`
 * for an import that left the change request so that it must not be merged.
 */
export async function sendImports(context: ApplyContext, step: PlanStep, place: Place): Promise<Sent | 'misplaced'> {
  const refusals = new Refusals();
  const parts = partsAllowed(context, step);
  if (parts !== null) return sendParts(context, step, { ...place, parts, refusals });
  const part = wholePart(context, step);
  const sent = await sendOne(context, step, { ...place, part, refusals });
  if (!isRefused(sent)) return sent;
  return sendParts(context, step, {
    ...place,
    parts: dividedPart(context, step, { part, refusals, ...sent }),
    refusals,
  });
}

interface OnePlace extends Place {
  /** Of what the step brings. */
  readonly part: MissingPart;
  readonly refusals: Refusals;
}

interface Refused {
  /** The platform does not take it. */
  readonly refused: unknown;
  /** In its words. */
  readonly why: string;
}

type Answer = Sent | Refused | 'misplaced';

function isRefused(answer: Answer): answer is Refused {
  return typeof answer === 'object' && 'refused' in answer;
}

async function sendOne(context: ApplyContext, step: PlanStep, place: OnePlace): Promise<Answer> {
  try {
    return await importOne(context, step, place);
  } catch (error) {
    if (!isUntaken(error)) throw error;
    return { refused: error, why: error.message };
  }
}

async function importOne(
  context: ApplyContext,
  step: PlanStep,
  { into, before, stood, part, refusals }: OnePlace,
): Promise<Sent | 'misplaced'> {
  const own = stepOfPart(step, part);
  const told = await importArchive(context, step, { layout: missingSource(context, step, { part, refusals }), into });
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
  readonly parts: readonly MissingPart[];
  readonly refusals: Refusals;
}

/** Each part in turn; then all once more, as links between them can be written only when every page has its id. */
async function sendParts(context: ApplyContext, step: PlanStep, place: PartsPlace): Promise<Sent | 'misplaced'> {
  const { refusals } = place;
  keepHalfSent(context, step, place.into.changeRequestId);
  const first = await sendEach(context, step, place);
  if (first === 'misplaced') return first;
  const { made, parts, told } = first;
  const linking = parts.filter(({ pages }) => pages.some((page) => !refusals.isBare(page)));
  const isWhole = parts.length < 2;
  const again = await sendAgain(context, step, { ...placeAfter(place, made), parts: isWhole ? [] : linking, refusals });
  if (again === 'misplaced') return again;
  context.journal.keepUntaken(step, refusals.untaken);
  keepSent(context, step, parts.length);
  return { made: again, told };
}

function placeAfter({ into }: Place, made: Revision): Place {
  return { into, before: made, stood: stoodIn(made) };
}

interface SentParts extends Sent {
  readonly parts: readonly MissingPart[];
}

// So many that are refused one after the other may be no fault of theirs.
const MOST_DOUBTED = 4;

/** A part that the platform refuses is divided. Throws what it was refused with where all others are refused as well. */
async function sendEach(
  context: ApplyContext,
  step: PlanStep,
  { parts, refusals, ...begun }: PartsPlace,
): Promise<SentParts | 'misplaced'> {
  let place: Place = begun;
  let doubted: Refused[] = [];
  const waiting = [...parts];
  const sent: MissingPart[] = [];
  const results: Partial<ImportResult>[] = [];
  const send = async (part: MissingPart): Promise<Answer> => {
    const own = withoutUntaken(context, step, { untaken: refusals.untaken, there: place.before.pages });
    const answer = await sendOne(context, own, { ...place, part, refusals });
    if (answer !== 'misplaced' && !isRefused(answer)) place = placeAfter(place, answer.made);
    return answer;
  };
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const answer = await send(part);
    if (answer === 'misplaced') return givenUp(context, step);
    if (!isRefused(answer)) {
      sent.push(part);
      results.push(answer.told);
      doubted = [];
      continue;
    }
    const smaller = dividedPart(context, step, { part, refusals, why: answer.why });
    waiting.unshift(...smaller);
    if (smaller.length === 0) doubted.push(answer);
    if (doubted.length === 0 || (waiting.length > 0 && doubted.length < MOST_DOUBTED)) continue;
    // What was taken before is taken still, or the platform takes nothing now.
    const control = sent.findLast(({ pages }) => pages.length > 0);
    const proof = control === undefined ? answer : await send(control);
    if (proof === 'misplaced') return givenUp(context, step);
    if (isRefused(proof)) throw proof.refused;
    doubted = [];
  }
  return { parts: sent, made: place.before, told: sumOf(results) };
}

function givenUp(context: ApplyContext, step: PlanStep): 'misplaced' {
  forgetBrought(context, step);
  return 'misplaced';
}

/** Sends what was taken; a page that is refused now keeps its links as they were first written. */
async function sendAgain(
  context: ApplyContext,
  step: PlanStep,
  { parts, refusals, ...begun }: PartsPlace,
): Promise<Revision | 'misplaced'> {
  let place: Place = begun;
  const waiting = [...parts];
  const own = withoutUntaken(context, step, { untaken: refusals.untaken, there: place.before.pages });
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const answer = await sendOne(context, own, { ...place, part, refusals });
    if (answer === 'misplaced') return givenUp(context, step);
    if (isRefused(answer)) waiting.unshift(...halvedOrLeft(step, { part, refusals, why: answer.why }));
    else place = placeAfter(place, answer.made);
  }
  return place.before;
}
