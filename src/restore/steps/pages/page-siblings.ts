// How pages stand among their siblings while the edits of a space are made up: each move is made here too, so that the next one is
// reckoned from what will stand by then.
import type { Page } from '../../../contract/index.ts';
import { isPartOfComputed } from '../../special/page-fields.ts';
import type { ContentChange } from '../../target/own-request.ts';

/** Ids of pages in their order, by the page above them; null is the top. */
export type Children = Map<string | null, string[]>;

/** The pages of a tree by the page above them, without those that are parts of a computed page: they are no entries of their own. */
export function childrenNow(pages: readonly Page[], into: Page | null = null, all: Children = new Map()): Children {
  const own = into === null ? pages : pages.filter((page) => !isPartOfComputed(page, into));
  all.set(
    into?.id ?? null,
    own.map(({ id }) => id),
  );
  for (const page of own) childrenNow(page.pages ?? [], page, all);
  return all;
}

export interface Siblings {
  readonly present: Children;
  /** What each page stands below; moved along. */
  readonly holders: Map<string, string | null>;
}

/** The page above each, by its id. */
export function holdersIn(present: Children): Map<string, string | null> {
  return new Map([...present].flatMap(([parent, children]) => children.map((id) => [id, parent] as const)));
}

interface Placing {
  readonly into: string | null;
  readonly id: string;
  /** In their old order; it is the one at `index`. */
  readonly siblings: readonly string[];
  readonly index: number;
}

/** Puts a page right behind the nearest that stood before it, and tells at which place that is; null when it is there already. */
export function placeAfter({ present, holders }: Siblings, { into, id, siblings, index }: Placing): number | null {
  const now = present.get(into) ?? [];
  const own = holders.get(id) === into ? now.indexOf(id) : -1;
  const isThere = (one: string | undefined): one is string =>
    one !== undefined && one !== id && holders.get(one) === into;
  let before = index - 1;
  while (before >= 0 && !isThere(siblings[before])) before -= 1;
  const previous = before < 0 ? -1 : now.indexOf(siblings[before] ?? '');
  const at = own >= 0 && own <= previous ? previous : previous + 1;
  if (own === at) return null;
  const from = holders.get(id);
  const left = from === undefined ? undefined : present.get(from);
  left?.splice(left.indexOf(id), 1);
  now.splice(at, 0, id);
  present.set(into, now);
  holders.set(id, into);
  return at;
}

/** Takes pages away, each after those below it; one stays when something below it stays. */
export function removalsIn(pages: readonly Page[], removed: ReadonlySet<string>): Removal[] {
  return removalsFrom(childrenNow(pages), removed);
}

export type Removal = Extract<ContentChange, { type: 'delete_page' }>;

/** With a page goes everything that stands below it. */
export function removalsFrom(present: Children, removed: ReadonlySet<string>): Removal[] {
  const going: Removal[] = [];
  const goes = (id: string): boolean => {
    const below = (present.get(id) ?? []).map(goes);
    if (!removed.has(id) || below.includes(false)) return false;
    going.push({ type: 'delete_page', page: id });
    return true;
  };
  (present.get(null) ?? []).forEach(goes);
  return going;
}
