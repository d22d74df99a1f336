// Pages that are gone from spaces that stand: those asked for, and those above them, without which they would stand elsewhere.
import { lazy, lazyBy, valueAt } from '../../base/index.ts';
import type { Outlined, Resource } from '../../mirror/index.ts';
import { spaceOf, textAt, titleOf } from '../resource.ts';
import type { Choices, FieldMend, PageMend, PagesMend } from '../types.ts';
import type { Changed, Divergence } from './divergence.ts';
import { HeldAddresses, takenBy } from './held-addresses.ts';
import { MissingPages } from './missing-pages.ts';
import type { Mending } from './input.ts';
import { isGroup, isLink, otherName } from '../special/page-places.ts';

/** What becomes of them in one space. */
interface GoneMends {
  readonly missing: PageMend[];
  /** Pages that somebody made in their place, and that are written over. */
  readonly replaced: PageMend[];
}

/** Gathers them, each once. */
export class GonePages {
  readonly #planning: Mending;
  readonly #divergence: Divergence;
  readonly #choices: Choices;
  readonly #replaceable: ReadonlySet<string>;
  readonly #space = lazyBy(
    (space: string) => new MissingPages({ ...this.#planning, replaceable: this.#replaceable }, space),
  );
  /** What becomes of the addresses of the pages that are set back. */
  readonly #held = lazy(() => this.#findHeld());
  /** Why, by key; pages above before those below them. */
  readonly #gone = new Map<string, { readonly page: Resource; readonly why: string }>();
  readonly #replaced = new Set<string>();
  readonly #going: ReadonlySet<string>;

  constructor(planning: Mending, divergence: Divergence, choices: Choices) {
    this.#planning = planning;
    this.#divergence = divergence;
    this.#choices = choices;
    const added = choices.missing ? divergence.added.filter(({ kind }) => kind === 'page') : [];
    this.#replaceable = new Set(added.map(({ id }) => id));
    const going = choices.added ? divergence.added.filter(({ kind }) => kind === 'page') : [];
    this.#going = new Set(going.map(({ id }) => id));
  }

  add(page: Resource): void {
    this.#addParents(page);
    this.#gone.set(page.key, { page, why: 'gone' });
  }

  /** For a page that goes back below another one, or to its place there: why it cannot; else null, and those above it come back. */
  whyStays({ wanted, live }: Changed): string | null {
    if (wanted.parent !== null && isGroup(live)) return IS_GROUP;
    if (this.#in(wanted).linkAbove(wanted) !== undefined) return BELOW_LINK;
    if (this.#choices.missing) this.#addParents(wanted);
    return this.#choices.missing || this.#in(wanted).above(wanted).length === 0 ? null : NO_PARENT;
  }

  /** Another page where an import puts a link that stands; undefined where there is none. */
  atItsAddress(link: Resource): Outlined | undefined {
    return this.#in(link).besideLink(link);
  }

  /** What becomes of the addresses of the pages that are set back. */
  get addresses(): HeldAddresses {
    return this.#held();
  }

  /** True for a page that is written over by a missing one; once all mends were asked for. */
  isReplaced({ id }: Resource): boolean {
    return this.#replaced.has(id);
  }

  /** By a page of their space. */
  *mends(): IterableIterator<[Resource, GoneMends]> {
    for (const { page, why } of this.#gone.values()) {
      const twin = this.#in(page).twinOf(page);
      if (twin === undefined) yield [page, { missing: [this.#missing(page, why)], replaced: [] }];
      else if (this.#choices.changed) yield [page, { missing: [], replaced: [this.#replacing(page, twin.id)] }];
      else this.#planning.list.addUnsupported(page, IN_ITS_PLACE);
    }
  }

  #belowOf(one: Changed): string | null {
    const { wanted, live } = one;
    if (wanted.parent === live.parent) return live.parent;
    return this.whyStays(one) === null ? this.#in(wanted).below(wanted) : live.parent;
  }

  #addParents(page: Resource): void {
    for (const one of this.#in(page).above(page))
      if (!this.#gone.has(one.key)) this.#gone.set(one.key, { page: one, why: `gone, holds page ${titleOf(page)}` });
  }

  #replacing(page: Resource, twin: string): PageMend {
    this.#replaced.add(twin);
    const link = this.#in(page).linkAbove(page);
    const mend: PageMend = { id: twin, of: page.id, title: titleOf(page), why: ['another page is in its place'] };
    return link === undefined ? mend : { ...mend, why: [...mend.why, toTop(link)], below: null };
  }

  #missing(page: Resource, why: string): PageMend {
    const space = this.#in(page);
    const [below, holder] = [space.below(page), space.holderOf(page)];
    const link = space.linkAbove(page);
    const mend: PageMend = {
      id: page.id,
      title: titleOf(page),
      why: link === undefined ? [why] : [why, toTop(link)],
      ...(below === page.parent ? {} : { below }),
    };
    if (holder === undefined) return mend;
    const importedAs = otherName(page);
    const taken = takenBy({ holder });
    // A title is nobody's own, and a link has no address that anybody sees: by then either can be given back.
    const isFreed = [page, holder].some(isLink) || this.addresses.leaves(holder.id) || this.#going.has(holder.id);
    const stays = isFreed ? '' : `: comes back as ${importedAs}`;
    const field = isLink(page) ? 'title' : 'slug';
    const fields: FieldMend[] = isFreed ? [{ field, from: importedAs, to: textAt(page.body, field) ?? '' }] : [];
    return { ...mend, why: [...mend.why, `${taken}${stays}`], importedAs, fields };
  }

  #in(page: Resource): MissingPages {
    return this.#space(spaceOf(page));
  }

  #findHeld(): HeldAddresses {
    return new HeldAddresses(this.#choices.changed ? this.#divergence.changed : [], {
      belowOf: (one) => this.#belowOf(one),
      standingAt: (page, below) => this.#in(page).standingAt(page, below),
      isGoing: ({ id }) => this.#going.has(id),
    });
  }
}

const IS_GROUP = 'stays where it is: it is a group now, and groups stand at the top of a space only';
const BELOW_LINK = 'stays where it is: a page above it is a link now, and no operation puts a page below a link';
const NO_PARENT = 'stays where it is: the page that it stood below is gone, and only "missing" brings it back';

function toTop(link: Outlined): string {
  return `page ${titleOf(link)} above it is a link now, and nothing goes below a link: comes back at the top`;
}

const IN_ITS_PLACE = 'another page is in its place: with "changed" that one is set back';

const STAYS =
  'stays with the page that is gone, as outdated: the one that is made for it has another id, and no operation moves a comment';

/** Names the comments that stay with pages that are gone: the pages that come back for these have other ids. */
export function addLeftComments(
  { list, live, comments }: Mending,
  space: string,
  { missing, changed }: Pick<PagesMend, 'missing' | 'changed'>,
): void {
  const gone = new Set([...missing.map(({ id }) => id), ...changed.flatMap(({ of }) => of ?? [])]);
  if (!comments || gone.size === 0) return;
  for (const comment of live.resources('comment', space)) {
    const page = valueAt(comment.body, 'target.page.id');
    if (typeof page === 'string' && gone.has(page)) list.addUnsupported(comment, STAYS);
  }
}
