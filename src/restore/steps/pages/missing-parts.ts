// Missing pages that are too much for one import come into their change request by several, as the content of a new space does.
import { pagesInOrder, NO_IMPORT_LIMITS, partsAmong, type PartPages } from '../../content/import-parts.ts';
import type { ImportPart, Divisible } from '../../content/divided-parts.ts';
import { filesShown } from '../../links/links.ts';
import type { ApplyContext, PageMend, PlanStep } from '../../types.ts';
import { lookMends } from './looks.ts';
import type { Resource } from '../../../mirror/index.ts';
import { textAt } from '../../resource.ts';
import { belowOf, missingById } from './missing-map.ts';

function idsSent(step: PlanStep): Set<string> {
  return new Set([...(step.pages?.missing ?? []), ...lookMends(step)].map(({ id }) => id));
}

/** In as few parts as the limits allow; null when all goes at once. */
export function partsAllowed(context: ApplyContext, step: PlanStep): ImportPart[] | null {
  const { reader, importLimits } = context;
  const parts = partsAmong(reader, { space: step.key, ids: idsSent(step) }, importLimits ?? NO_IMPORT_LIMITS);
  return parts === null ? null : withFiles(context, step, parts);
}

/** All that a step sends as one part: pages that it brings or writes over, parents before children, and all files. */
export function wholePart(context: ApplyContext, step: PlanStep): ImportPart {
  const sent = idsSent(step);
  const pages = pagesInOrder(context.reader, { space: step.key }).flatMap(({ id }) => (sent.has(id) ? [id] : []));
  return { pages, files: filesBeside(context, step) };
}

/** Files that no page shows go with the last part. */
function withFiles(context: ApplyContext, step: PlanStep, parts: readonly PartPages[]): ImportPart[] {
  return parts.map((pages, at) => ({ pages, files: at === parts.length - 1 ? filesBeside(context, step) : [] }));
}

/** Ids of the files of a step that none of its pages shows. */
function filesBeside({ reader }: ApplyContext, step: PlanStep): string[] {
  const shown = new Set(
    [...idsSent(step)].flatMap((id) => {
      const page = reader.one('page', `${step.key}/${id}`);
      return page === undefined ? [] : filesShown(page);
    }),
  );
  return (step.pages?.files ?? []).flatMap(({ id }) => (shown.has(id) ? [] : [id]));
}

/** The step as far as a part of it goes. */
export function stepOfPart(step: PlanStep, { pages }: Pick<ImportPart, 'pages'>): PlanStep {
  if (step.pages === undefined) return step;
  const own = new Set(pages);
  const missing = step.pages.missing.filter(({ id }) => own.has(id));
  const changed = lookMends(step).filter(({ id }) => own.has(id));
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

/** What the parts before have brought is given up with the change request that they went into, and what was refused is tried again. */
export function forgetBrought({ ids, journal }: Pick<ApplyContext, 'ids' | 'journal'>, step: PlanStep): void {
  const { key, pages } = step;
  const keysOf = (mends: readonly PageMend[]): string[] => mends.map(({ id }) => `${key}/${id}`);
  ids.forget('page', keysOf(pages?.missing ?? []));
  ids.forget('file', keysOf(pages?.files ?? []));
  if (journal.untakenOf(step).length > 0) journal.keepUntaken(step, []);
}

/** Notes that all parts are in, and how many they were. */
export function keepSent({ journal }: Pick<ApplyContext, 'journal'>, step: PlanStep, imports: number): void {
  journal.keep(step, `in ${imports} imports`);
}

/** What an import of missing pages is divided by. */
export function divisible(context: ApplyContext, step: PlanStep): Divisible {
  const { reader, live } = context;
  const { missing = [], changed = [], files = [] } = step.pages ?? {};
  const isWanted = (file: string): boolean => files.some(({ id }) => id === file);
  const titleOfPage = (page: string): string => [...missing, ...changed].find(({ id }) => id === page)?.title ?? page;
  const nameOfFile = (file: string): string => textAt(reader.one('file', `${step.key}/${file}`)?.body, 'name') ?? file;
  return {
    filesAlong: (page) => pagesAlong(context, step, page).flatMap(filesShown),
    isBrought: (file) => isWanted(file) || live?.one('file', `${step.key}/${file}`) === undefined,
    titleOf: (kind, id) => (kind === 'page' ? titleOfPage(id) : nameOfFile(id)),
    lackOf: (page) => {
      // Of one that stands, its text would be gone.
      if (missing.every(({ id }) => id !== page)) return 'look';
      // One that no file is has nothing but its title.
      return reader.one('page', `${step.key}/${page}`)?.body['type'] === 'document' ? 'content' : 'all';
    },
  };
}

/** A page and those above it, the nearest first: all of them are imported with it. */
function pagesAlong({ reader, live }: ApplyContext, step: PlanStep, page: string): Resource[] {
  const missing = missingById(step);
  const along: Resource[] = [];
  for (let at: string | null = page; at !== null;) {
    const mend = missing.get(at);
    const one: Resource | undefined = (mend === undefined ? live : reader)?.one('page', `${step.key}/${at}`);
    if (one === undefined || along.some(({ id }) => id === one.id)) break;
    along.push(one);
    at = mend === undefined ? one.parent : belowOf({ reader }, step, mend);
  }
  return along;
}
