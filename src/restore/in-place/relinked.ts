// Pages that stay as they are but for their links, which will lead to what is brought back under a new id. The plan names them.
import type { KindName } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import { AddressLinks, turnedInPlace } from '../links/address-links.ts';
import { linksInto } from '../links/links.ts';
import type { Planning } from '../plan/step-list.ts';
import { spaceOf, titleOf } from '../resource.ts';
import type { PageMend, PagesMend } from '../types.ts';

const LINKS = ['links'] as const;

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
    if (
      page.text === null ||
      others.has(page.id) ||
      turnedInPlace(page.text, { addresses, ids, own: space }) === page.text
    )
      continue;
    found.push({ id: page.id, title: titleOf(page), why: LINKS });
  }
  return found;
}

/** Ids that lead nowhere until the plan has made their resources anew, and the new ids that earlier restores gave. */
interface Anew extends Pick<Planning, 'addresses'> {
  readonly anew: ReadonlySet<string>;
  readonly heirs: IdMap;
}

interface Linking {
  readonly page: Resource;
  /** True when it links to what the plan makes anew. */
  readonly isAnew: boolean;
}

/** Live pages whose links into other spaces will lead elsewhere. A link to something that neither the plan nor an earlier restore brings back stays as it is. */
export function* pagesLinkingInto(live: SnapshotReader, { anew, heirs, addresses }: Anew): IterableIterator<Linking> {
  if (anew.size === 0 && heirs.isEmpty) return;
  for (const page of live.resources('page')) {
    const [text, own] = [page.text ?? '', spaceOf(page)];
    const into = linksInto(new AddressLinks(addresses, own).byId(text), own);
    const isAnew = into.some((id) => anew.has(id));
    if (isAnew || (into.length > 0 && turnedInPlace(text, { addresses, ids: heirs, own }) !== text))
      yield { page, isAnew };
  }
}

/** Notes a page of which only the links are written. */
export function noteLinking(spaces: Map<string, PageMend[]>, page: Resource): void {
  const space = spaceOf(page);
  const mends = spaces.get(space) ?? [];
  spaces.set(space, mends);
  mends.push({ id: page.id, title: titleOf(page), why: LINKS });
}

/** Pages by space that are brought or set back before what they link to in other spaces has its new id. */
export function pagesWrittenEarly({
  list,
  reader,
  addresses,
}: Pick<Planning, 'list' | 'reader' | 'addresses'>): Map<string, PageMend[]> {
  const spaces = new Map<string, PageMend[]>();
  const later = new Set<string>();
  for (const { kind, part, key, pages } of list.steps.toReversed()) {
    if (kind !== 'revision' || part !== 'pages' || pages === undefined) continue;
    const { missing, changed } = pages;
    const links = new AddressLinks(addresses, key);
    const linksLater = ({ id, of = id }: PageMend): boolean =>
      linksInto(links.byId(reader.one('page', `${key}/${of}`)?.text ?? ''), key).some((one) => later.has(one));
    const early = [...missing, ...changed.filter(setsText)].filter(linksLater);
    if (early.length > 0)
      spaces.set(
        key,
        early.map(({ id, title }) => ({ id, title, why: LINKS })),
      );
    for (const { id, of = id } of [...missing, ...changed.filter((one) => one.of !== undefined)]) later.add(of);
  }
  return spaces;
}
