// A part of what is missing that the platform refuses is divided, down to what it takes and what it takes in no way: half of its pages, a
// page without the files that go with it, a page with nothing but its title, so that what stands below it and leads to it has its place.
import { halved, type Part } from '../../content/import-parts.ts';
import type { Untaken } from '../../journal/step-detail.ts';
import { filesShown } from '../../links/links.ts';
import type { Resource } from '../../../mirror/index.ts';
import { textAt } from '../../resource.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { belowOf } from './missing-map.ts';

/** What one import brings. */
export interface MissingPart {
  /** Ids, in their order; the pages above them go along. */
  readonly pages: Part;
  /** Ids of files besides those that these pages show. */
  readonly files: readonly string[];
}

/** What was learned of a step by refusals. */
export class Refusals {
  /** Files that go with no page: by themselves, or not at all. */
  readonly apart = new Set<string>();
  readonly #untaken = new Map<string, Untaken>();

  constructor(known: readonly Untaken[] = []) {
    for (const one of known) this.note(one);
  }

  get untaken(): readonly Untaken[] {
    return [...this.#untaken.values()];
  }

  /** True for a page of which nothing but its title goes. */
  isBare(page: string): boolean {
    return this.#untaken.get(`page ${page}`)?.what === 'content';
  }

  /** Notes that it does not come, or a page not with what it holds. */
  note(one: Untaken): void {
    this.#untaken.set(`${one.kind} ${one.id}`, one);
    if (one.kind === 'file') this.apart.add(one.id);
  }
}

interface Refused {
  readonly part: MissingPart;
  readonly refusals: Refusals;
  /** In the words of the platform. */
  readonly why: string;
}

/** The parts to try instead. None where that is all of it: it is noted as refused then. */
export function dividedPart(context: ApplyContext, step: PlanStep, refused: Refused): MissingPart[] {
  const halves = halvesOf(refused.part);
  if (halves !== null) return halves;
  const [page] = refused.part.pages;
  return page === undefined ? dividedFiles(context, step, refused) : dividedPage(context, step, { ...refused, page });
}

/** The same for what stands there by then: of one page, nothing but links was to be set. */
export function halvedOrLeft(step: PlanStep, { part, refusals, why }: Refused): MissingPart[] {
  const halves = halvesOf(part);
  if (halves !== null) return halves;
  for (const id of part.pages)
    if (!refusals.isBare(id)) refusals.note({ kind: 'page', id, title: titleOf(step, id), what: 'links', why });
  return [];
}

function halvesOf({ pages, files }: MissingPart): MissingPart[] | null {
  const halves = halved(pages);
  return (
    halves && [
      { pages: halves[0], files: [] },
      { pages: halves[1], files },
    ]
  );
}

function titleOf({ pages }: PlanStep, id: string): string {
  const { missing = [], changed = [] } = pages ?? {};
  return [...missing, ...changed].find((one) => one.id === id)?.title ?? id;
}

function dividedFiles(
  { reader }: ApplyContext,
  step: PlanStep,
  { part: { files }, refusals, why }: Refused,
): MissingPart[] {
  const halves = halved(files);
  if (halves !== null) return halves.map((half) => ({ pages: [], files: half }));
  for (const id of files) {
    const title = textAt(reader.one('file', `${step.key}/${id}`)?.body ?? {}, 'name') ?? id;
    refusals.note({ kind: 'file', id, title, what: 'all', why });
  }
  return [];
}

interface RefusedPage extends Refused {
  readonly page: string;
}

function dividedPage(
  context: ApplyContext,
  step: PlanStep,
  { part, refusals, why, page: id }: RefusedPage,
): MissingPart[] {
  const { live } = context;
  const { missing = [], files: wanted = [] } = step.pages ?? {};
  const mend = missing.find((one) => one.id === id);
  const [page, ...above] = pagesAlong(context, step, id);
  const shown = [page, ...above].flatMap((one) => (one === undefined ? [] : filesShown(one)));
  const along = shown.filter((file) => !refusals.apart.has(file));
  const alone: MissingPart = { pages: [id], files: [] };
  if (along.length + part.files.length > 0) {
    for (const file of along) refusals.apart.add(file);
    const isBrought = (file: string): boolean =>
      wanted.some((one) => one.id === file) || live?.one('file', `${step.key}/${file}`) === undefined;
    const files = [...new Set([...along.filter(isBrought), ...part.files])];
    return files.length === 0 ? [alone] : [alone, { pages: [], files }];
  }
  // Of one that stands, its text would be gone; one that no file is has nothing else.
  const canBeBare = mend !== undefined && page?.body['type'] === 'document' && !refusals.isBare(id);
  const what = canBeBare ? 'content' : mend === undefined ? 'look' : 'all';
  refusals.note({ kind: 'page', id, title: titleOf(step, id), what, why });
  return canBeBare ? [alone] : [];
}

/** A page and those above it, the nearest first: all of them are imported with it. */
function pagesAlong(context: ApplyContext, step: PlanStep, page: string): Resource[] {
  const missing = new Map((step.pages?.missing ?? []).map((mend) => [mend.id, mend]));
  const along: Resource[] = [];
  for (let at: string | null = page; at !== null;) {
    const mend = missing.get(at);
    const one: Resource | undefined = (mend === undefined ? context.live : context.reader)?.one(
      'page',
      `${step.key}/${at}`,
    );
    if (one === undefined || along.some(({ id }) => id === one.id)) break;
    along.push(one);
    at = mend === undefined ? one.parent : belowOf(context, step, mend);
  }
  return along;
}
