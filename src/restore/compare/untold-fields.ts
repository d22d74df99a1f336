// Fields of which what the snapshot has depends on what it does not hold, on what cannot come back, or on who knows it.
import type { Resource } from '../../mirror/index.ts';
import { textAt } from '../resource.ts';
import { isAmongOthers, isWhereOtherCame } from '../special/change-request-pages.ts';
import { pageAbove } from '../special/page-places.ts';
import { SharedAddresses } from '../special/shared-addresses.ts';
import { currentText, isSameDocument } from '../special/spec-text.ts';
import { UnknownValues } from '../unknown-values.ts';
import type { AsPlanned, Pair } from './as-planned.ts';
import { untoldAtSource } from './at-source.ts';
import { BehindUnread } from './behind-unread.ts';
import { findRestored } from './find-restored.ts';
import { LostDefaults } from './given-up.ts';
import { LinkPagesBack } from './link-pages-back.ts';
import { isBelowItself, namesWhatIsNotHeld } from './not-held.ts';
import { isRenamedIn } from './renamed-files.ts';
import { isSaidAlike } from './same-fields.ts';
import type { Sides } from './sides.ts';
import { untoldByPlan } from './untold-by-plan.ts';

/** What the plan says of them. */
interface Planned {
  readonly planned: AsPlanned;
  readonly givenUp: ReadonlySet<string>;
}

/** Of one resource, and of what came back of it, if anything. */
interface Untold {
  /** True for one that is no failure, unequal as it is. */
  readonly excuses: (field: string) => boolean;
  /** True for one that cannot be promised, equal or not. */
  readonly has: (field: string) => boolean;
}

export class UntoldFields {
  readonly #sides: Sides;
  readonly #planned: AsPlanned;
  readonly #defaults: LostDefaults;
  readonly #isRenamed: (file: Resource) => boolean;
  readonly #linkPages: LinkPagesBack;
  readonly #behind: BehindUnread;
  readonly #shared: SharedAddresses;
  readonly #unknown = new UnknownValues();

  constructor(sides: Sides, { planned, givenUp }: Planned) {
    this.#sides = sides;
    this.#planned = planned;
    this.#defaults = new LostDefaults(sides, givenUp);
    this.#isRenamed = isRenamedIn(sides.original);
    this.#linkPages = new LinkPagesBack(sides.original);
    this.#behind = new BehindUnread(sides.original);
    this.#shared = new SharedAddresses(sides.original);
  }

  of(resource: Resource, pair: Pair | undefined): Untold {
    const fields = new Set(this.#fieldsOf(resource, pair));
    return { has: (field) => fields.has(field), excuses: (field) => this.#excuses(field, resource, pair) };
  }

  #fieldsOf(resource: Resource, pair: Pair | undefined): string[] {
    const { original } = this.#sides;
    return [
      ...(isAmongOthers(original, resource) ? ['position'] : []),
      ...(this.#defaults.has(resource) ? ['default'] : []),
      ...untoldByPlan(this.#sides, resource),
      ...untoldAtSource(resource),
      ...this.#unknown.fieldsOf(resource),
      ...(pair ? this.#planned.untold(pair) : []),
      ...this.#linkPages.untold(resource),
      ...(this.#isRenamed(resource) ? ['name'] : []),
      ...(pair && standsAsText(this.#sides, pair) ? ['sourceURL'] : []),
    ];
  }

  #excuses(field: string, resource: Resource, pair: Pair | undefined): boolean {
    const { original } = this.#sides;
    if (namesWhatIsNotHeld(original, resource, field)) return true;
    if (field === 'position') return this.#behind.has(resource);
    if (field === 'parent') return isBelowItself(original, resource);
    if (field === 'path' && pair !== undefined && isElsewhere(this.#sides, pair)) return true;
    if (field !== 'slug' && field !== 'path') return false;
    return isWhereOtherCame(original, resource) || this.#shared.has(resource);
  }
}

/** The address of a page is that of the page above and its own name: where one of them is another, the difference is told there, or not meant. */
function isElsewhere({ original, restored, ids }: Sides, pair: Pair): boolean {
  if (pair.resource.kind !== 'page') return false;
  if (!(isSaidAlike('parent', pair) && isSaidAlike('slug', pair))) return true;
  const above = pageAbove(original, pair.resource);
  const now = above && findRestored(ids, restored, above);
  return now !== undefined && now.body['path'] !== above?.body['path'];
}

/** A specification whose address could not be read there: its text went in instead. */
function standsAsText({ original, restored: target }: Sides, { resource, restored }: Pair): boolean {
  if (resource.kind !== 'openapi-spec' || textAt(restored.body, 'sourceURL') !== undefined) return false;
  const [was, is] = [currentText(original, resource), currentText(target, restored)];
  return was !== null && is !== null && isSameDocument(was, is);
}
