// Whether a field came back: in the same words, or in others that mean the same there.
import { canonicalJson, type LinkById, addressById, rewriteLinks } from '../../base/index.ts';
import { isOptionalSwitch } from '../../contract/index.ts';
import { asSaid, keyAbove, textAt } from '../resource.ts';
import type { AsPlanned, Pair } from './as-planned.ts';
import { withLinksAlike, isBroken, targetsIn } from '../links/links.ts';
import type { Sides } from './sides.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { wantedText, type Values } from './values.ts';
import { keepLinks, pathLinked, spaceLayout, withoutTitle } from '../../export/index.ts';
import { type IdMap, idsWithin, withinOf } from '../journal/id-map.ts';

export class SameFields {
  readonly #sides: Sides;
  readonly #planned: AsPlanned;
  readonly #paths: PathLinks;
  readonly #titles: TitleLines;

  constructor(sides: Sides, planned: AsPlanned) {
    this.#sides = sides;
    this.#planned = planned;
    this.#paths = new PathLinks(sides);
    this.#titles = new TitleLines(sides);
  }

  has(field: string, pair: Pair): boolean {
    return (
      isSaidAlike(field, pair) ||
      (field === 'position' && this.#planned.isInPlace(pair)) ||
      (field === 'markdown' && this.#isSameText(this.#titles.below(pair)))
    );
  }

  /** True where all that differs are links that lead to the same place, or nowhere, either way. */
  #isSameText({ resource, wanted, got }: Pair): boolean {
    const [meant, text] = [wanted['markdown'], got['markdown']].map(linksAlike);
    if (typeof text !== 'string') return text === (meant ?? null);
    if (meant === text || this.#paths.areSame(resource, meant, text)) return true;
    const left = linksAlike(textWithBroken(this.#sides, resource, String(got['markdown'])));
    return left === text || this.#paths.areSame(resource, left, text);
  }
}

function linksAlike(text: unknown): unknown {
  return typeof text === 'string' ? withLinksAlike(text) : text;
}

/** True where both sides say the same. One platform shows every switch, another only those that are on, and a new one may be off or not there. */
export function isSaidAlike(
  field: string,
  { resource, wanted, got }: Pick<Pair, 'resource' | 'wanted' | 'got'>,
): boolean {
  const off = isOptionalSwitch(resource.kind, field) ? false : undefined;
  const said = (value: unknown): string => canonicalJson(asSaid(value ?? off));
  return said(wanted[field]) === said(got[field]);
}

/** The text of a page as it should stand, where a link that led nowhere may stand as it stood: with a new id it leads nowhere still. */
function textWithBroken({ original, ids }: Sides, page: Resource, got: string): string | null {
  const targets = targetsIn(got);
  return wantedText(page, ids, (link, { target, number }) => {
    return targets[number] === target && leadsNowhere(original, page, link);
  });
}

/** In a change request a link leads to what that holds, or else to what its space does. */
function leadsNowhere(original: SnapshotReader, { kind, key, params }: Resource, link: LinkById): boolean {
  const { spaceId: own = '' } = params;
  if (!isBroken(original, own, link)) return false;
  if (kind !== 'change-request-page' || link.to === 'space' || (link.space ?? own) !== own) return true;
  return original.one(`change-request-${link.to}`, `${keyAbove(key)}/${link.id}`) === undefined;
}

/** Where what lies in a space, or in a change request, stands in an import of it. */
interface Places {
  readonly pathOf: (page: string) => string | undefined;
  readonly at: ReadonlyMap<string, { readonly kind: 'page' | 'file'; readonly id: string }>;
}

/** Links by a path, as people write them: an import takes such a link over as one by the id of what it leads to. */
class PathLinks {
  readonly #original: SnapshotReader;
  readonly #ids: IdMap;
  /** The last one alone: pages come space by space. */
  #last: { readonly within: string; readonly places: Places } | null = null;

  constructor({ original, ids }: { readonly original: SnapshotReader; readonly ids: IdMap }) {
    this.#original = original;
    this.#ids = ids;
  }

  /** True when two texts of a page are the same but for links by path in the one that the other has by the id of what was restored. */
  areSame(page: Resource, wanted: unknown, got: unknown): boolean {
    if (typeof wanted !== 'string' || typeof got !== 'string') return false;
    const { pathOf, at } = this.#placesOf(page);
    const from = pathOf(page.id);
    if (from === undefined) return false;
    const ids = idsWithin(this.#ids, withinOf(page));
    const byId = rewriteLinks(wanted, (target) => {
      const { path, anchor } = pathLinked(from, target) ?? { path: '', anchor: '' };
      const there = at.get(path);
      // In place, what stands kept its id.
      const now = there && (ids.byId(there.kind, there.id) ?? there.id);
      return there && now && addressById({ to: there.kind, space: null, id: now }) + anchor;
    });
    return byId === got;
  }

  #placesOf({ params: { spaceId: space = '', changeRequestId: changeRequest } }: Resource): Places {
    const within = changeRequest === undefined ? space : `${space}/${changeRequest}`;
    if (this.#last?.within !== within) this.#last = { within, places: this.#read(space, changeRequest) };
    return this.#last.places;
  }

  #read(space: string, changeRequest: string | undefined): Places {
    const request = changeRequest === undefined ? {} : { changeRequest };
    const layout = spaceLayout({ reader: this.#original, space, ...request, links: keepLinks });
    const at = new Map<string, { kind: 'page' | 'file'; id: string }>();
    for (const { id, path } of layout.pages()) at.set(path, { kind: 'page', id });
    for (const { id, path } of layout.assetFiles()) at.set(path, { kind: 'file', id });
    return { pathOf: (page) => layout.pagePath(page), at };
  }
}

const ENOUGH = 50;

/** Some platforms begin the Markdown of a page with its title: what only one of them writes is compared below it. */
class TitleLines {
  readonly #sides: Sides;
  #writing: 'original' | 'restored' | 'both alike' | undefined;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** The same pair; where only one side writes titles, with its text below them. */
  below(pair: Pair): Pair {
    this.#writing ??= writingSide(this.#sides);
    if (this.#writing === 'both alike') return pair;
    const { wanted, got } = pair;
    return this.#writing === 'original' ? { ...pair, wanted: belowTitle(wanted) } : { ...pair, got: belowTitle(got) };
  }
}

function writingSide({ original, restored }: Sides): 'original' | 'restored' | 'both alike' {
  const [was, is] = [writesTitles(original), writesTitles(restored)];
  if (was === is) return 'both alike';
  return was ? 'original' : 'restored';
}

/** True where every page with a text says so, of those that are looked at; one text that somebody wrote says nothing of the others. */
function writesTitles(reader: SnapshotReader): boolean {
  let seen = 0;
  for (const { text, body } of reader.resources('page')) {
    if (text === null || text === '') continue;
    if (withoutTitle(text, textAt(body, 'title') ?? '') === text) return false;
    seen += 1;
    if (seen === ENOUGH) break;
  }
  return seen > 0;
}

function belowTitle(values: Values): Values {
  const { markdown, title } = values;
  if (typeof markdown !== 'string' || typeof title !== 'string') return values;
  return { ...values, markdown: withoutTitle(markdown, title) || null };
}
