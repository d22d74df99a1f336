// An import that is of no use to a space that stands. A platform may put what it imports in place of all that stood, or bring once more
// the pages above, which go along only to tell the place. Merged, the one would delete the space and the other double it.
import { groupBy } from '../../base/index.ts';
import type { Page, Revision } from '../../contract/index.ts';
import { flatten } from '../special/page-places.ts';
import type { ApplyContext, PlanStep } from '../types.ts';
import { lookMends } from './looks.ts';
import { belowOf } from './missing-map.ts';

interface Imported {
  /** What stood in the change request before the import. */
  readonly before: Revision;
  readonly now: Revision;
}

/** True for a change request that must not be merged. */
export function isMisplaced(context: ApplyContext, step: PlanStep, imported: Imported): boolean {
  return takesAway(step, imported) || bringsTwice(context, step, imported);
}

/** What is imported over itself may have another id afterwards. */
function takesAway(step: PlanStep, { before, now }: Imported): boolean {
  const pages = new Set([...flatten(now.pages), ...lookMends(step)].map(({ id }) => id));
  const files = new Set(now.files.map(({ name }) => name));
  return flatten(before.pages).some(({ id }) => !pages.has(id)) || before.files.some(({ name }) => !files.has(name));
}

function bringsTwice(context: ApplyContext, step: PlanStep, { before, now }: Imported): boolean {
  const stood = new Set(flatten(before.pages).map(({ id }) => id));
  const named = (pages: readonly Pick<Page, 'type' | 'title'>[]) =>
    groupBy(pages, ({ type, title }) => `${type} ${title}`);
  const fresh = named(flatten(now.pages).filter(({ id }) => !stood.has(id)));
  const awaited = named(missingPages(context, step));
  const along = named(flatten(before.pages).filter(({ id }) => standingAlong(context, step).has(id)));
  return [...along.keys()].some((name) => (fresh.get(name)?.length ?? 0) > (awaited.get(name)?.length ?? 0));
}

function missingPages({ reader }: ApplyContext, { key, pages }: PlanStep): Page[] {
  return (pages?.missing ?? []).flatMap(({ id }) => {
    const page = reader.one('page', `${key}/${id}`);
    return page === undefined ? [] : [page.body as unknown as Page];
  });
}

/** Ids of the pages that stand and are imported as well: those above what is missing, and those of which only an import sets something. */
function standingAlong(context: ApplyContext, step: PlanStep): Set<string> {
  const missing = new Map((step.pages?.missing ?? []).map((mend) => [mend.id, mend]));
  const along = new Set<string>();
  const climb = (from: string | null): void => {
    for (let at = from; at !== null && !along.has(at);) {
      const mend = missing.get(at);
      if (mend === undefined) along.add(at);
      at = mend ? belowOf(context, step, mend) : (context.live?.one('page', `${step.key}/${at}`)?.parent ?? null);
    }
  };
  for (const mend of missing.values()) climb(belowOf(context, step, mend));
  for (const { id } of lookMends(step)) climb(id);
  return along;
}
