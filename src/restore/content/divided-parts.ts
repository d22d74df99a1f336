// A part that the platform refuses is divided, down to what it takes and what it takes in no way: half of its pages, a page without the
// files that go with it, a page with nothing but its title, so that what stands below it and leads to it has its place.
import type { Untaken, UntakenPart } from '../journal/untaken.ts';
import { halved, type PartPages } from './import-parts.ts';

/** What one import brings. */
export interface ImportPart {
  /** Ids, in their order; the pages above them go along. */
  readonly pages: PartPages;
  /** Ids of files besides those that these pages show. */
  readonly files: readonly string[];
  /** It was refused a moment ago, with what may have been no fault of its own: it goes again after so many milliseconds. */
  readonly afterMs?: number;
}

/** What was learned by refusals. */
export class Refusals {
  /** Files that go with no page: by themselves, or not at all. */
  readonly apart = new Set<string>();
  readonly #untaken = new Map<string, Untaken>();
  readonly #tried = new Map<string, number>();
  #list: readonly Untaken[] | null = null;

  constructor(known: readonly Untaken[] = []) {
    for (const one of known) this.note(one);
  }

  /** The same list while nothing more is noted. */
  get untaken(): readonly Untaken[] {
    this.#list ??= [...this.#untaken.values()];
    return this.#list;
  }

  /** True for a page of which nothing but its title goes. */
  isBare(page: string): boolean {
    return this.#untaken.get(`page ${page}`)?.what === 'content';
  }

  /** Notes that it does not come, or a page not with what it holds. */
  note(one: Untaken): void {
    this.#untaken.set(`${one.kind} ${one.id}`, one);
    this.#list = null;
    if (one.kind === 'file') this.apart.add(one.id);
  }

  /** Counts one more try; tells how many there were before. */
  countTry(what: Untaken['kind'] | 'links', id: string): number {
    const name = `${what} ${id}`;
    const tries = this.#tried.get(name) ?? 0;
    this.#tried.set(name, tries + 1);
    return tries;
  }
}

/** What is divided. */
export interface Divisible {
  /** Ids of the files that a page and those above it show. */
  readonly filesAlong: (page: string) => readonly string[];
  /** True for a file that is brought; false for one that only goes along. */
  readonly isBrought: (file: string) => boolean;
  readonly titleOf: (kind: Untaken['kind'], id: string) => string;
  /** What a page is without when all of it is refused: of one that may come with its title alone, its content. */
  readonly lackOf: (page: string) => UntakenPart;
}

export interface RefusedPart {
  readonly part: ImportPart;
  readonly refusals: Refusals;
  /** In the words of the platform. */
  readonly why: string;
  /** What says no more than that the import failed may have failed for a moment: after how many milliseconds each it is tried again. */
  readonly waits: readonly number[];
}

/** The parts to try instead. None where that is all of it: it is noted as refused then. */
export function dividedPart(from: Divisible, refused: RefusedPart): ImportPart[] {
  const halves = halvesOf(refused.part);
  if (halves !== null) return halves;
  const [page] = refused.part.pages;
  return page === undefined ? dividedFiles(from, refused) : dividedPage(from, refused, page);
}

/** The same for what stands there by then: of one page, nothing but links was to be set. */
export function halvedOrLeft(from: Divisible, { part, refusals, why, waits }: RefusedPart): ImportPart[] {
  const halves = halvesOf(part);
  if (halves !== null) return halves;
  const [id] = part.pages;
  if (id === undefined || refusals.isBare(id)) return [];
  // The files stand there, too: the page names them by their ids then.
  const along = from.filesAlong(id).filter((file) => !refusals.apart.has(file));
  for (const file of along) refusals.apart.add(file);
  if (along.length + part.files.length > 0) return [{ pages: [id], files: [] }];
  const afterMs = waits[refusals.countTry('links', id)];
  if (afterMs !== undefined) return [{ ...part, afterMs }];
  refusals.note({ kind: 'page', id, title: from.titleOf('page', id), what: 'links', why });
  return [];
}

function halvesOf({ pages, files }: ImportPart): ImportPart[] | null {
  const halves = halved(pages);
  return (
    halves && [
      { pages: halves[0], files: [] },
      { pages: halves[1], files },
    ]
  );
}

function dividedFiles({ titleOf }: Divisible, { part, refusals, why, waits }: RefusedPart): ImportPart[] {
  const halves = halved(part.files);
  if (halves !== null) return halves.map((half) => ({ pages: [], files: half }));
  const [id] = part.files;
  if (id === undefined) return [];
  const afterMs = waits[refusals.countTry('file', id)];
  if (afterMs !== undefined) return [{ ...part, afterMs }];
  refusals.note({ kind: 'file', id, title: titleOf('file', id), what: 'all', why });
  return [];
}

function dividedPage(from: Divisible, { part, refusals, why, waits }: RefusedPart, id: string): ImportPart[] {
  const along = from.filesAlong(id).filter((file) => !refusals.apart.has(file));
  const alone: ImportPart = { pages: [id], files: [] };
  if (along.length + part.files.length > 0) {
    for (const file of along) refusals.apart.add(file);
    const files = [...new Set([...along.filter(from.isBrought), ...part.files])];
    return files.length === 0 ? [alone] : [alone, { pages: [], files }];
  }
  const afterMs = waits[refusals.countTry('page', id)];
  if (afterMs !== undefined) return [{ ...alone, afterMs }];
  const lack = from.lackOf(id);
  const what = lack === 'content' && refusals.isBare(id) ? 'all' : lack;
  refusals.note({ kind: 'page', id, title: from.titleOf('page', id), what, why });
  return what === 'content' ? [alone] : [];
}
