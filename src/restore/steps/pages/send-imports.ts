// What is missing from a space that stands goes into a change request by one import, or by several where it is too much for one.
import type { ImportResult, Revision } from '../../../contract/index.ts';
import { isUntaken } from '../../answers.ts';
import { dividedPart, halvedOrLeft, Refusals, type ImportPart } from '../../content/divided-parts.ts';
import { withOutlinesHeld } from '../../content/held-outlines.ts';
import { refusalOf, sendDivided } from '../../content/send-divided.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { contentAfter, type RequestPath } from '../../target/content-there.ts';
import { importArchive, sumOf } from '../content/import-archive.ts';
import {
  forgetBrought,
  keepHalfSent,
  keepSent,
  partsAllowed,
  stepOfPart,
  wholePart,
  divisible,
} from './missing-parts.ts';
import { isMisplaced, stoodIn, type Stood } from './misplaced-import.ts';
import { mapMissing, pagesNotFound } from './missing-map.ts';
import { missingSource } from './page-source.ts';
import { withoutUntaken } from './untaken-pages.ts';

/** Where it goes, and what an import has to leave there. */
export interface Importing {
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
export async function sendImports(
  context: ApplyContext,
  step: PlanStep,
  place: Importing,
): Promise<Sent | 'misplaced'> {
  const refusals = new Refusals();
  const parts = partsAllowed(context, step);
  if (parts !== null) return sendParts(context, step, { ...place, parts, refusals });
  const part = wholePart(context, step);
  try {
    return (await importOne(context, step, { ...place, part, refusals })) ?? 'misplaced';
  } catch (error) {
    if (!isUntaken(error)) throw error;
    const refused = { part, refusals, ...refusalOf(error) };
    return sendParts(context, step, { ...place, parts: dividedPart(divisible(context, step), refused), refusals });
  }
}

interface OnePlace extends Importing {
  /** Of what the step brings. */
  readonly part: ImportPart;
  readonly refusals: Refusals;
}

/** Null for an import that left the change request so that it must not be merged. */
async function importOne(
  context: ApplyContext,
  step: PlanStep,
  { into, before, stood, part, refusals }: OnePlace,
): Promise<Sent | null> {
  const own = stepOfPart(step, part);
  const told = await importArchive(context, step, { layout: missingSource(context, step, { part, refusals }), into });
  const isAll = (now: Revision): boolean => {
    // Of files and looks alone, nothing else tells the state before the import from that after it.
    if (now.id === before.id) return false;
    // What is given up is not to be noted as what was brought.
    if (isMisplaced(context, own, { stood, now })) return true;
    mapMissing(context, own, now);
    return pagesNotFound(context, own).length === 0;
  };
  const made = await contentAfter(context, { into, revision: told.revision, isAll });
  if (isMisplaced(context, own, { stood, now: made })) return null;
  mapMissing(context, own, made);
  return { made, told };
}

interface PartsPlace extends Importing {
  readonly parts: readonly ImportPart[];
  readonly refusals: Refusals;
}

/** Each part in turn; then all once more, as links between them can be written only when every page has its id. */
async function sendParts(applying: ApplyContext, step: PlanStep, place: PartsPlace): Promise<Sent | 'misplaced'> {
  const { refusals } = place;
  const { reader, live } = applying;
  const context = { ...applying, reader: withOutlinesHeld(reader), live: live && withOutlinesHeld(live) };
  keepHalfSent(context, step, place.into.changeRequestId);
  const first = await sendEach(context, step, place);
  if (first === null) return givenUp(context, step);
  const { parts } = first;
  const linking = parts.filter(({ pages }) => pages.some((page) => !refusals.isBare(page)));
  const again = parts.length < 2 ? [] : linking;
  const second = await sendEach(context, step, {
    ...placeAfter(place, first.made),
    parts: again,
    refusals,
    instead: halvedOrLeft,
  });
  if (second === null) return givenUp(context, step);
  context.journal.keepUntaken(step, refusals.untaken);
  keepSent(context, step, parts.length);
  return { made: second.made, told: first.told };
}

function placeAfter({ into }: Importing, made: Revision): Importing {
  return { into, before: made, stood: stoodIn(made) };
}

function givenUp(context: ApplyContext, step: PlanStep): 'misplaced' {
  forgetBrought(context, step);
  return 'misplaced';
}

interface Each extends PartsPlace {
  readonly instead?: typeof dividedPart;
}

interface SentParts extends Sent {
  readonly parts: readonly ImportPart[];
}

/** Null as above. */
async function sendEach(
  context: ApplyContext,
  step: PlanStep,
  { parts, instead, ...begun }: Each,
): Promise<SentParts | null> {
  const { refusals } = begun;
  let place: Importing = begun;
  const send = async (part: ImportPart): Promise<Sent | null> => {
    const own = withoutUntaken(context, step, { untaken: refusals.untaken, there: place.before.pages });
    const one = await importOne(context, own, { ...place, part, refusals });
    if (one !== null) place = placeAfter(place, one.made);
    return one;
  };
  // What it puts elsewhere is seen, and the change request given up.
  const mayRepeat = true;
  const sending = { parts, refusals, from: divisible(context, step), send, mayRepeat, ...(instead ? { instead } : {}) };
  const sent = await sendDivided(context, sending);
  return sent && { parts: sent.parts, made: place.before, told: sumOf(sent.answers.map(({ told }) => told)) };
}
