// Pages that stay as they are but for their links, which will lead to what is brought back under a new id. The plan names them.
import { count } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import { AddressLinks, turnedInPlace } from '../links/address-links.ts';
import { linksInto } from '../links/links.ts';
import { NO_PAGES, type NewStep, type Planning } from '../plan/step-list.ts';
import type { Mending } from './input.ts';
import { addPagesStep } from './pages-step.ts';
import { spaceOf, textAt, titleOf } from '../resource.ts';
import type { PageMend, PagesMend, PlanStep } from '../types.ts';

/** Of a page nothing but its links. */
function linksOf({ id, title }: Pick<PageMend, 'id' | 'title'>): PageMend {
  return { id, title, why: ['links'] };
}

/** Which ids will be others once the plan is carried out as far as it has been made. */
export class NewIds {
  readonly #heirs: IdMap;
  readonly #made = new Set<string>();

  /** Begins with what earlier restores made anew, and with the spaces that the plan makes with all that is in them. */
  constructor({ heirs, list, reader }: Pick<Planning, 'heirs' | 'list' | 'reader'>) {
    this.#heirs = heirs;
    for (const { kind, part, key } of list.steps) {
      if (kind !== 'space' || part !== 'create') continue;
      this.#add('space', key);
      for (const inside of ['page', 'file'] as const)
        for (const { id } of reader.outline(inside, key)) this.#add(inside, id);
    }
  }

  /** What the plan brings back in a space that stands. */
  addAll({ missing, files, changed }: Omit<PagesMend, 'links'>): void {
    for (const { id } of missing) this.#add('page', id);
    for (const { id } of files) this.#add('file', id);
    for (const { of } of changed) if (of !== undefined) this.#add('page', of);
  }

  /** Nobody knows yet what the new id of what is brought back will be: only that it is another one. */
  byId(kind: KindName, id: string): string | undefined {
    return this.#heirs.byId(kind, id) ?? (this.#made.has(`${kind} ${id}`) ? `new-${id}` : undefined);
  }

  #add(kind: KindName, id: string): void {
    this.#made.add(`${kind} ${id}`);
  }
}

/** True when the text of a page is set back, and its links with it. */
export function setsText({ id, of = id, why }: PageMend): boolean {
  return of !== id || why.includes('text');
}

interface Relinking extends Pick<Planning, 'addresses'> {
  readonly ids: NewIds;
  readonly pages: Omit<PagesMend, 'links'>;
}

/** The pages of a space that stands whose links will lead elsewhere, but for those whose text is set back, or that are taken away. */
export function relinkedPages(live: SnapshotReader, space: string, { ids, pages, addresses }: Relinking): PageMend[] {
  const others = new Set([...pages.changed.filter(setsText), ...pages.added].map(({ id }) => id));
  const found: PageMend[] = [];
  for (const page of live.resources('page', space)) {
    const { id, text } = page;
    if (text === null || others.has(id) || turnedInPlace(text, { addresses, ids, own: space }) === text) continue;
    found.push(linksOf({ id, title: titleOf(page) }));
  }
  return found;
}

/**
 * Live pages whose links into other spaces will lead elsewhere, with whether one is to what the plan makes anew. A link to something that
 * neither the plan nor an earlier restore brings back stays as it is.
 */
function* pagesLinkingInto(
  { live, heirs, addresses }: Mending,
  anew: ReadonlySet<string>,
): IterableIterator<{ readonly page: Resource; readonly isAnew: boolean }> {
  if (anew.size === 0 && heirs.isEmpty) return;
  for (const page of live.resources('page')) {
    const [text, own] = [page.text ?? '', spaceOf(page)];
    const into = linksInto(new AddressLinks(addresses, own).byId(text), own);
    const isAnew = into.some((id) => anew.has(id));
    if (isAnew || (into.length > 0 && turnedInPlace(text, { addresses, ids: heirs, own }) !== text))
      yield { page, isAnew };
  }
}

/** Pages by space that are brought or set back before what they link to in other spaces has its new id. */
function pagesWrittenEarly({ list, reader, addresses }: Mending): Map<string, PageMend[]> {
  const spaces = new Map<string, PageMend[]>();
  const later = new Set<string>();
  for (const { kind, part, key, pages } of list.steps.toReversed()) {
    if (kind !== 'revision' || part !== 'pages' || pages === undefined) continue;
    const { missing, changed } = pages;
    const links = new AddressLinks(addresses, key);
    const linksLater = ({ id, of = id }: PageMend): boolean =>
      linksInto(links.byId(reader.one('page', `${key}/${of}`)?.text ?? ''), key).some((one) => later.has(one));
    const early = [...missing, ...changed.filter(setsText)].filter(linksLater);
    if (early.length > 0) spaces.set(key, early.map(linksOf));
    for (const { id, of = id } of [...missing, ...changed.filter((one) => one.of !== undefined)]) later.add(of);
  }
  return spaces;
}

/**
 * Pages whose links to what is made anew in other spaces are turned once everything stands: those that link there now, to what an
 * earlier restore made anew too, and those that the plan writes before that has its new id. Of those that link there and were not
 * asked for it is said that they stay.
 * @param anew Ids that lead nowhere until what had them is made anew.
 */
export function addRelinks(planning: Mending, anew: ReadonlySet<string>): void {
  const { list, live, selection } = planning;
  const standing = new Map<string, PageMend[]>();
  for (const { page, isAnew } of pagesLinkingInto(planning, anew)) {
    if (selection.meant(page)) {
      const links = standing.get(spaceOf(page)) ?? [];
      standing.set(spaceOf(page), links);
      links.push(linksOf({ id: page.id, title: titleOf(page) }));
    } else if (isAnew) list.addNoOp(page, linksStay(live, page));
  }
  const early = pagesWrittenEarly(planning);
  const made = stepsMakingPages(list.steps);
  for (const space of new Set([...standing.keys(), ...early.keys()])) {
    const named = [...(early.get(space) ?? []), ...(standing.get(space) ?? [])];
    const links = [...new Map(named.map((page) => [page.id, page])).values()];
    addPagesStep(planning, space, {
      note: `links of ${count(links.length, 'page')} to what is made anew, once that is there`,
      pages: { ...NO_PAGES, links },
      mend: { expects: null, fields: [] },
      ...made,
    });
  }
}

/**
 * What was cut off has no new ids to lead links to, and a step that is done is not done again. Spaces that are made anew come with a
 * resume; pages of a space that somebody edited meanwhile never do, and are not to keep the other links from being turned.
 */
function stepsMakingPages(steps: readonly PlanStep[]): Pick<NewStep, 'needs' | 'linksTo'> {
  const isMaking = ({ part, pages }: PlanStep): boolean =>
    part === 'pages' &&
    pages !== undefined &&
    (pages.missing.length > 0 || pages.changed.some(({ of }) => of !== undefined));
  return {
    needs: steps.filter(({ kind, part }) => kind === 'revision' && part === 'content').map(({ step }) => step),
    linksTo: steps.filter(isMaking).map(({ step }) => step),
  };
}

function linksStay(live: SnapshotReader, page: Resource): string {
  const organization = textAt(live.one('space', spaceOf(page))?.body, 'organization') ?? 'ID';
  return `links to what is made anew and was not asked for, so its link stays broken: a plan with --scope organization:${organization} turns it`;
}
