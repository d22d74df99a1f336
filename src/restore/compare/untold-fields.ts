// Fields of which what the snapshot has depends on what it does not hold, on what cannot come back, or on who knows it.
import { type Resource, isTextUnread, type SnapshotReader } from '../../mirror/index.ts';
import { textAt, isSaid, idAt, keyAbove, spaceOf } from '../resource.ts';
import { isAmongOthers, isWhereOtherCame } from '../special/change-request-pages.ts';
import { pageAbove } from '../special/page-places.ts';
import { SharedAddresses } from '../special/shared-addresses.ts';
import { currentText, isSameDocument } from '../special/spec-text.ts';
import { UnknownValues } from '../unknown-values.ts';
import type { AsPlanned, Pair } from './as-planned.ts';
import { BehindUnread } from './behind-unread.ts';
import { findRestored } from './find-restored.ts';
import { LostDefaults } from './given-up.ts';
import { isSaidAlike } from './same-fields.ts';
import type { Sides } from './sides.ts';
import { requiredFieldsOf, type KindName, isKindName, kindOf, isPage } from '../../contract/index.ts';
import { lazyBy } from '../../base/index.ts';
import { renamedFiles, AppAddresses } from '../../export/index.ts';
import { isReference, LinkPages } from '../links/link-pages.ts';
import { holderElsewhere } from '../in-place/transfers.ts';
import type { Plan } from '../types.ts';

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

/** What every platform decides by itself where the one that was mirrored did not tell it. */
const DECIDED: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  space: ['editMode'],
  'site-section': ['default'],
  'site-space': ['default'],
  'share-link': ['active'],
  page: ['slug', 'path'],
  'change-request-page': ['slug', 'path'],
};

/**
 * Fields of which the snapshot says nothing, so that none of what the target may say is another. What the API promises is among them: a
 * platform of another version may not have it, and one that has it tells a value in any case.
 */
function untoldAtSource(resource: Resource): readonly string[] {
  const { kind, body } = resource;
  const decided = [...(DECIDED[kind] ?? []), ...requiredFieldsOf(kind)];
  return [...decided.filter((field) => !isSaid(body, field)), ...(isTextUnread(resource) ? ['markdown'] : [])];
}

/** A reference to what the snapshot does not hold, as where the token was refused it, leads nowhere that a restore could make. */
function namesWhatIsNotHeld(original: SnapshotReader, { kind, body }: Resource, field: string): boolean {
  const { refs = {}, embeds = {} } = kindOf(kind);
  const named = refs[field] ?? embeds[field];
  if (named === undefined || !isKindName(named)) return false;
  const value = body[field];
  const ids = (Array.isArray(value) ? value : [value]).map((one: unknown) =>
    typeof one === 'string' ? one : idAt(one),
  );
  return ids.some((id) => id !== undefined && original.keysOf(named, id).length === 0);
}

/** True for a collection that stands below itself, as a platform may say by mistake: in one place that loop does not come back. */
function isBelowItself(original: SnapshotReader, { kind, id, body }: Resource): boolean {
  if (kind !== 'collection') return false;
  const seen = new Set<string>();
  let above = textAt(body, 'parent');
  while (above !== undefined && above !== id && !seen.has(above)) {
    seen.add(above);
    above = textAt(original.one(kind, above)?.body, 'parent');
  }
  return above === id;
}

/** True for a file that an import was given under another name, as the plan says. Each holder of files is looked into once. */
function isRenamedIn(original: SnapshotReader): (file: Resource) => boolean {
  const inSpace = lazyBy((space: string) => renamedFiles(original, space, 'file'));
  const inRequest = lazyBy((request: string) => renamedFiles(original, request, 'change-request-file'));
  return ({ kind, id, key }) => {
    if (kind === 'file') return inSpace(keyAbove(key)).has(id);
    return kind === 'change-request-file' && inRequest(keyAbove(key)).has(id);
  };
}

const LEADING = ['target', 'href'] as const;

/** What of link pages need not come back as it was, by what the ledger says of references. */
class LinkPagesBack {
  readonly #original: SnapshotReader;
  readonly #addresses: AppAddresses;
  readonly #in = lazyBy((space: string) => new LinkPages(this.#original, { space }, this.#addresses));
  /** Below which pages there is a link that no import makes; null is the top. */
  readonly #gapsIn = lazyBy((space: string) => this.#findGaps(space));

  constructor(original: SnapshotReader) {
    this.#original = original;
    this.#addresses = new AppAddresses(original);
  }

  /** Fields in which a page may differ: those of a reference, and the place behind a link that does not come back. */
  untold(resource: Resource): readonly string[] {
    const { kind, parent } = resource;
    if (!isPage(kind)) return [];
    const space = spaceOf(resource);
    const isLeading = isReference(resource) || this.#in(space).isLate(resource);
    const isBehind = kind === 'page' && this.#gapsIn(space).has(parent);
    return [...(isLeading ? LEADING : []), ...(isBehind ? ['position'] : [])];
  }

  #findGaps(space: string): ReadonlySet<string | null> {
    const gaps = new Set<string | null>();
    for (const page of this.#original.outline('page', space))
      if (page.holds && this.#in(space).isBeyondImport(page)) gaps.add(page.parent);
    return gaps;
  }
}

type InPlace = Pick<Sides, 'plan' | 'live' | 'ids'>;

/**
 * The place of a page that comes alone, that of a space whose collection is out of reach, and what follows from a site that is not asked
 * for.
 */
function untoldByPlan(sides: InPlace, resource: Resource): string[] {
  const { plan } = sides;
  return [
    ...(isAlone(plan, resource) ? ['position'] : []),
    ...(isLeftOutside(sides, resource) ? ['parent'] : []),
    ...(resource.kind === 'organization' && showsNothingFirst(plan) ? ['defaultContent'] : []),
  ];
}

/** Of an organization whose first site the plan does not bring along, as it says. */
function showsNothingFirst({ steps }: Plan): boolean {
  const own = steps.filter(({ kind }) => kind === 'organization');
  return own.some(({ action }) => action === 'unsupported') && own.every(({ part }) => part !== 'defaults');
}

/** A collection or space of which the plan says that it stays, or comes back, outside of the collection which held it. */
function isLeftOutside(sides: InPlace, resource: Resource): boolean {
  const { mode, steps } = sides.plan;
  const { kind, key } = resource;
  if (mode !== 'in-place' || (kind !== 'collection' && kind !== 'space')) return false;
  if (isHolderElsewhere(sides, resource)) return true;
  const own = steps.filter((step) => step.kind === kind && step.key === key);
  const isPut = own.some(({ part }) => part === 'place' || part === 'create' || part === 'undelete');
  return !isPut && own.some(({ action }) => action === 'unsupported');
}

/** True where the collection that held it stands, and stays, in another organization. */
function isHolderElsewhere({ plan, live, ids }: InPlace, resource: Resource): boolean {
  const original = textAt(resource.body, 'parent');
  const parent = original === undefined ? undefined : ids.get('collection', original);
  return parent !== undefined && live !== null && holderElsewhere({ list: plan, live }, resource, parent) !== undefined;
}

/** A page that came into a new space without those that stood beside it. */
function isAlone(plan: Plan, resource: Resource): boolean {
  return plan.only.page !== undefined && isImported(plan, resource);
}

/** A page that came with the content of a new space. */
function isImported({ steps }: Plan, { kind, params }: Resource): boolean {
  return kind === 'page' && steps.some(({ part, key }) => part === 'content' && key === params['spaceId']);
}
