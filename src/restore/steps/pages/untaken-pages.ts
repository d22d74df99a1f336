// In a space that stands: what of a step the target refuses in any way is left out of it, and what stands below such a page comes back
// below the nearest page above that is there.
import type { Page, Revision } from '../../../contract/index.ts';
import { type Untaken, raisedLine, untakenLine } from '../../journal/untaken.ts';
import { differingLooks, isLook } from '../../special/looks.ts';
import { addressBelow, isLink, nameBelow, otherName } from '../../special/page-places.ts';
import type { ApplyContext, PageMend, PlanStep } from '../../types.ts';
import { belowOf } from './missing-map.ts';
import { titleOf } from '../../resource.ts';

interface Refused {
  readonly untaken: readonly Untaken[];
  /** The pages that stand in the change request. */
  readonly there: readonly Page[];
}

/** The step without what the target was noted to refuse of it. */
export function ownStep(context: ApplyContext, step: PlanStep, { pages }: Pick<Revision, 'pages'>): PlanStep {
  return withoutUntaken(context, step, { untaken: context.journal.untakenOf(step), there: pages });
}

/** The step as it is gone on with. Of a page that came with its title alone, an edit is to set all else. */
export function withoutUntaken(context: ApplyContext, step: PlanStep, { untaken, there }: Refused): PlanStep {
  if (step.pages === undefined || untaken.length === 0) return step;
  const named = (kind: Untaken['kind'], what: Untaken['what']): Set<string> =>
    new Set(untaken.filter((one) => one.kind === kind && one.what === what).map(({ id }) => id));
  const [left, files] = [named('page', 'all'), named('file', 'all')];
  const [bare, looks] = [named('page', 'content'), named('page', 'look')];
  const pages = {
    ...step.pages,
    missing: raised(context, step, { left, there }),
    files: step.pages.files.filter(({ id }) => !files.has(id)),
    changed: [
      ...step.pages.changed.flatMap((mend) => (looks.has(mend.id) ? withoutLooks(mend) : [mend])),
      ...step.pages.missing.flatMap((mend) => (bare.has(mend.id) ? editOf(context, step, mend) : [])),
    ],
  };
  return { ...step, pages };
}

function withoutLooks(mend: PageMend): PageMend[] {
  const why = mend.why.filter((field) => !isLook(field));
  return why.length === 0 ? [] : [{ ...mend, why }];
}

/** Nothing before it has come. */
function editOf({ ids }: ApplyContext, { key }: PlanStep, { id, title, importedAs }: PageMend): PageMend[] {
  const now = ids.get('page', `${key}/${id}`);
  if (now === undefined) return [];
  const fields = importedAs === undefined ? [] : [{ field: 'slug', from: null, to: importedAs }];
  return [{ id: now, of: id, title, why: ['text'], fields }];
}

interface Raising {
  /** Ids of pages that do not come. */
  readonly left: ReadonlySet<string>;
  readonly there: readonly Page[];
}

/** Those that come; one whose page above does not comes below the next one, under another name where another page there has its own. */
function raised(context: ApplyContext, step: PlanStep, { left, there }: Raising): PageMend[] {
  const { missing = [] } = step.pages ?? {};
  const coming = missing.filter(({ id }) => !left.has(id));
  if (left.size === 0) return [...missing];
  const mends = new Map(missing.map((mend) => [mend.id, mend]));
  const standing = (mend: PageMend): string | null => {
    let below = belowOf(context, step, mend);
    for (let above = mends.get(below ?? ''); above !== undefined && left.has(above.id); above = mends.get(below ?? ''))
      below = belowOf(context, step, above);
    return below;
  };
  const isRaised = (mend: PageMend): boolean => left.has(belowOf(context, step, mend) ?? '');
  const names = new NamesTaken(context, step, there);
  for (const mend of coming) if (!isRaised(mend)) names.take(mend, belowOf(context, step, mend));
  return coming.map((mend) => {
    if (!isRaised(mend)) return mend;
    const below = standing(mend);
    const { importedAs: _as, fields: _fields, ...bare } = mend;
    const importedAs = names.take(bare, below);
    return { ...bare, below, ...(importedAs === undefined ? {} : { importedAs }) };
  });
}

/** Names of pages below others, of those that stand and of those that come. */
class NamesTaken {
  readonly #taken = new Map<string, string>();
  readonly #context: ApplyContext;
  readonly #space: string;

  constructor(context: ApplyContext, { key }: PlanStep, there: readonly Page[]) {
    this.#context = context;
    this.#space = key;
    this.#note(there, null);
  }

  /** Gives a page its name below that one; answers another name where it is taken. */
  take({ id }: PageMend, below: string | null): string | undefined {
    const { reader, ids } = this.#context;
    const page = reader.one('page', `${this.#space}/${id}`);
    if (page === undefined) return undefined;
    const now = ids.get('page', page.key) ?? id;
    const above = below === null ? null : (ids.byId('page', below) ?? below);
    const names = [nameBelow(above, page), addressBelow(above, page)];
    if (names.some((name) => (this.#taken.get(name) ?? now) !== now)) return otherName(page);
    for (const name of names) this.#taken.set(name, now);
    return undefined;
  }

  #note(pages: readonly Page[], above: string | null): void {
    for (const page of pages) {
      const named = { body: { ...page } };
      this.#taken.set(nameBelow(above, named), page.id);
      if (isLink(named)) this.#taken.set(addressBelow(above, named), page.id);
      this.#note(page.pages ?? [], page.id);
    }
  }
}

interface Edited extends Pick<Refused, 'untaken'> {
  /** Edits that the target refused. */
  readonly refused: readonly Untaken[];
}

/** What is left of that once pages were edited: of those that came with their title alone, what an edit does not set. */
export function untakenAfterEdits(
  { reader, ids }: ApplyContext,
  { key }: PlanStep,
  { untaken, refused }: Edited,
): Untaken[] {
  const unedited = new Set(refused.map(({ id }) => id));
  const left = untaken.flatMap((one): Untaken[] => {
    if (one.what === 'links') return [];
    if (one.what !== 'content' || unedited.has(ids.get('page', `${key}/${one.id}`) ?? '')) return [one];
    const page = reader.one('page', `${key}/${one.id}`);
    const looks = page === undefined ? [] : differingLooks('document', [page.body, {}]);
    return looks.length === 0 ? [] : [{ ...one, what: 'look' }];
  });
  const told = new Set(left.filter(({ what }) => what === 'content').map(({ id }) => ids.get('page', `${key}/${id}`)));
  return [...left, ...refused.filter(({ id }) => !told.has(id))];
}

interface Told {
  readonly untaken: readonly Untaken[];
  /** The step as it was gone on with. */
  readonly own: PlanStep;
}

/** What people are told of what the target refused, and of where what stood below it came. */
export function untakenLines(context: ApplyContext, step: PlanStep, { untaken, own }: Told): string[] {
  return untaken.flatMap((one) => [
    untakenLine(one),
    ...(one.what === 'all' && one.kind === 'page' ? raisedLines(context, step, { id: one.id, own }) : []),
  ]);
}

interface Raised {
  readonly id: string;
  readonly own: PlanStep;
}

/** Where the pages came that stood below it. */
function raisedLines(context: ApplyContext, step: PlanStep, { id, own }: Raised): string[] {
  const stoodBelow = (step.pages?.missing ?? []).filter((mend) => belowOf(context, step, mend) === id);
  const ids = new Set(stoodBelow.map((mend) => mend.id));
  const came = (own.pages?.missing ?? []).filter((mend) => ids.has(mend.id));
  const [first] = came;
  if (first === undefined) return [];
  const { reader, live } = context;
  const key = `${step.key}/${first.below ?? ''}`;
  const above = reader.one('page', key) ?? live?.one('page', key);
  return [raisedLine(came.length, above === undefined ? null : titleOf(above))];
}
