// Which page or file of a change request is which of those that an import brought back.
import type { Page, Revision } from '../../../contract/index.ts';
import { textAt } from '../../resource.ts';
import { nameBelow, pagesById, renamed } from '../../special/page-places.ts';
import type { ApplyContext, PageMend, PlanStep, StepOutcome } from '../../types.ts';

/** New ids of what was brought back, by where it stands; noted at once, since what is set back may link to it. */
export function mapMissing(context: ApplyContext, step: PlanStep, made: Revision): NonNullable<StepOutcome['map']> {
  const { files = [], changed = [] } = step.pages ?? {};
  const pages = mapPages(context, step, made.pages);
  for (const { id, of } of changed) if (of !== undefined) pages[`${step.key}/${of}`] = id;
  const filesByName = new Map(made.files.map((file) => [file.name, file.id]));
  const fileIds = new Set(made.files.map(({ id }) => id));
  const mapped = files.flatMap(({ id }) => {
    const key = `${step.key}/${id}`;
    const known = context.ids.get('file', key) ?? '';
    const file = context.reader.one('file', key);
    const now = fileIds.has(known) ? known : file && filesByName.get(textAt(file.body, 'name') ?? '');
    return now === undefined ? [] : [[key, now] as const];
  });
  const map = { page: pages, file: Object.fromEntries(mapped) };
  context.ids.addAll(map);
  return map;
}

/** Missing pages that the change request does not show after the import. The step goes on without them: that beats bringing nothing back. */
export function pagesNotFound({ ids }: ApplyContext, { key, pages }: PlanStep): PageMend[] {
  return (pages?.missing ?? []).filter(({ id }) => ids.get('page', `${key}/${id}`) === undefined);
}

/** What becomes of the missing pages of a step, by their ids. */
export function missingById({ pages }: Pick<PlanStep, 'pages'>): ReadonlyMap<string, PageMend> {
  return new Map(pages?.missing.map((mend) => [mend.id, mend]));
}

/** What it comes back below, by its id as it stands or stood. */
export function belowOf({ reader }: Pick<ApplyContext, 'reader'>, { key }: PlanStep, mend: PageMend): string | null {
  return mend.below === undefined ? (reader.one('page', `${key}/${mend.id}`)?.parent ?? null) : mend.below;
}

function mapPages(context: ApplyContext, step: PlanStep, made: readonly Page[]): Record<string, string> {
  const missing = missingById(step);
  if (missing.size === 0) return {};
  const names = freshNames({ pages: made, above: null }, standingIds(context, step, 'page'));
  const found = new Map<string, string | undefined>();
  // What was noted when it was made is not guessed again.
  const present = pagesById(made);
  for (const id of missing.keys()) {
    const known = context.ids.get('page', `${step.key}/${id}`);
    if (known !== undefined && present.has(known)) found.set(id, known);
  }
  const idOf = (mend: PageMend): string | undefined => {
    if (found.has(mend.id)) return found.get(mend.id);
    found.set(mend.id, undefined);
    const below = belowOf(context, step, mend);
    const holder = below === null ? undefined : missing.get(below);
    const above = holder ? idOf(holder) : below && (context.ids.byId('page', below) ?? below);
    const now = above === undefined ? undefined : nameOf(context, step, { mend, above, names });
    found.set(mend.id, now);
    return now;
  };
  const entries = [...missing.values()].map((mend) => [`${step.key}/${mend.id}`, idOf(mend)] as const);
  return Object.fromEntries(entries.flatMap(([key, id]) => (id === undefined ? [] : [[key, id] as const])));
}

interface Named {
  readonly mend: PageMend;
  readonly above: string | null;
  readonly names: ReadonlyMap<string, string>;
}

/** By the name that it was imported under or, once that was set back, by its own; by its title where an import made a name of that. */
function nameOf({ reader }: ApplyContext, step: PlanStep, { mend, above, names }: Named): string | undefined {
  const page = reader.one('page', `${step.key}/${mend.id}`);
  if (!page) return undefined;
  const { body } = page;
  const bodies = [renamed(body, mend.importedAs), body, { ...body, slug: '' }];
  return bodies.map((one) => names.get(nameBelow(above, { body: one }))).find((id) => id !== undefined);
}

/** Ids of what stood there when the plan was made. */
export function standingIds({ live }: ApplyContext, { key }: PlanStep, kind: 'page' | 'file'): Set<string> {
  const ids = new Set<string>();
  for (const { id, holds } of live?.outline(kind, key) ?? []) if (holds) ids.add(id);
  return ids;
}

interface Siblings {
  readonly pages: readonly Page[];
  readonly above: string | null;
}

/** Pages that are not of those that stood there, by the page above and their names. */
function freshNames({ pages, above }: Siblings, stood: ReadonlySet<string>): Map<string, string> {
  const names = new Map<string, string>();
  for (const page of pages) {
    const body = { ...page };
    if (!stood.has(page.id)) {
      names.set(nameBelow(above, { body: { ...body, slug: '' } }), page.id);
      names.set(nameBelow(above, { body }), page.id);
    }
    for (const [name, id] of freshNames({ pages: page.pages ?? [], above: page.id }, stood)) names.set(name, id);
  }
  return names;
}
