// Missing pages that are too much for one import come into their change request by several, as the content of a new space does.
import { isTooMuch } from '../../answers.ts';
import { halved, pagesInOrder, NO_IMPORT_LIMITS, partsAmong, type Part } from '../../content/import-parts.ts';
import { filesShown } from '../../links/links.ts';
import type { ApplyContext, PageMend, PlanStep } from '../../types.ts';
import { lookMends } from './looks.ts';
import type { MissingPart } from './page-source.ts';

/** Ids of all pages that the import of a step brings or writes over, parents before children. */
function pagesSent({ reader }: Pick<ApplyContext, 'reader'>, step: PlanStep): Part {
  const sent = idsSent(step);
  return pagesInOrder(reader, { space: step.key }).flatMap(({ id }) => (sent.has(id) ? [id] : []));
}

function idsSent(step: PlanStep): Set<string> {
  return new Set([...(step.pages?.missing ?? []), ...lookMends(step)].map(({ id }) => id));
}

/** In as few parts as the limits allow; null when all goes at once. */
export function partsAllowed({ reader, importLimits }: ApplyContext, step: PlanStep): Part[] | null {
  const ids = idsSent(step);
  return partsAmong(reader, { space: step.key, ids }, importLimits ?? NO_IMPORT_LIMITS);
}

/** The halves of all that a step sends; null for an error that means something else, and for what cannot be halved. */
export function halvesFor(context: ApplyContext, step: PlanStep, error: unknown): Part[] | null {
  return isTooMuch(error) ? halved(pagesSent(context, step)) : null;
}

/** A part with the files that go with it: of those that no page shows, which go with the last one. */
export function asPart(context: ApplyContext, step: PlanStep, { part, isLast }: PartOfAll): MissingPart {
  const pages = new Set(part);
  if (!isLast) return { pages, files: new Set() };
  const { reader } = context;
  const shown = new Set(
    [...idsSent(step)].flatMap((id) => {
      const page = reader.one('page', `${step.key}/${id}`);
      return page === undefined ? [] : filesShown(page);
    }),
  );
  return { pages, files: new Set((step.pages?.files ?? []).flatMap(({ id }) => (shown.has(id) ? [] : [id]))) };
}

interface PartOfAll {
  readonly part: Part;
  readonly isLast: boolean;
}

/** The step as far as a part of it goes. */
export function stepOfPart(step: PlanStep, { pages }: MissingPart): PlanStep {
  if (step.pages === undefined) return step;
  const missing = step.pages.missing.filter(({ id }) => pages.has(id));
  const changed = lookMends(step).filter(({ id }) => pages.has(id));
  return { ...step, pages: { ...step.pages, missing, changed } };
}

const UNDER_WAY = 'in parts, of which some may be lacking';

/** Notes, before the first part, that the change request does not hold everything yet. */
export function keepHalfSent({ journal }: Pick<ApplyContext, 'journal'>, step: PlanStep, request: string): void {
  journal.keep(step, `${UNDER_WAY} (${request})`);
}

/** True for a change request into which an earlier try had sent some parts, when it was cut off: a later one begins another. */
export function isHalfSent({ journal }: Pick<ApplyContext, 'journal'>, step: PlanStep, request: string): boolean {
  return journal.keptOf(step) === `${UNDER_WAY} (${request})`;
}

/** What the parts before have brought is given up with the change request that they went into. */
export function forgetBrought({ ids }: Pick<ApplyContext, 'ids'>, { key, pages }: PlanStep): void {
  const keysOf = (mends: readonly PageMend[]): string[] => mends.map(({ id }) => `${key}/${id}`);
  ids.forget('page', keysOf(pages?.missing ?? []));
  ids.forget('file', keysOf(pages?.files ?? []));
}

/** Notes that all parts are in, and how many they were. */
export function keepSent({ journal }: Pick<ApplyContext, 'journal'>, step: PlanStep, imports: number): void {
  journal.keep(step, `in ${imports} imports`);
}
