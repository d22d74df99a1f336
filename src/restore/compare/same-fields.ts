// Whether a field came back: in the same words, or in others that mean the same there.
import { canonicalJson } from '../../base/index.ts';
import { isOptionalSwitch } from '../../contract/index.ts';
import { asSaid } from '../resource.ts';
import type { AsPlanned, Pair } from './as-planned.ts';
import { withLinksAlike } from '../links/links.ts';
import { textWithBroken } from './broken-links.ts';
import { PathLinks } from './path-links.ts';
import type { Sides } from './sides.ts';
import { TitleLines } from './title-lines.ts';

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
