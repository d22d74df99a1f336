// In place a page comes back among what others have made of its space meanwhile: it is to be as the plan says. What the plan leaves as
// it stood, or puts elsewhere and says so, is told as a difference and is no failure.
import { canonicalJson } from '../../base/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { isPlaced } from '../special/page-places.ts';
import { childrenOf, lazyByTree, treeOf } from '../in-place/sibling-orders.ts';
import { noValue, writableFields, writableValues } from '../in-place/writable.ts';
import type { PageMend } from '../types.ts';
import { wantedValues, type Values } from './values.ts';
import type { Sides } from './sides.ts';

/** A page of the snapshot and what stands for it. */
export interface Pair {
  readonly resource: Resource;
  readonly restored: Resource;
  readonly wanted: Values;
  readonly got: Values;
}

/** What a plan in place says of each page that it writes. */
export class AsPlanned {
  readonly #sides: Sides;
  readonly #missing = new Map<string, PageMend>();
  readonly #changed = new Map<string, PageMend>();
  readonly #stood = lazyByTree((tree) => childrenOf(this.#sides.original, tree));
  readonly #standing = lazyByTree((tree) => childrenOf(this.#sides.restored, tree));

  constructor(sides: Sides) {
    this.#sides = sides;
    for (const { key, part, pages } of sides.live === null ? [] : sides.plan.steps) {
      if (part !== 'pages') continue;
      for (const mend of pages?.missing ?? []) this.#missing.set(`${key}/${mend.id}`, mend);
      for (const mend of pages?.changed ?? []) this.#changed.set(`${key}/${mend.of ?? mend.id}`, mend);
    }
  }

  /** Fields that are not as the snapshot has them, and need not be. */
  untold(pair: Pair): readonly string[] {
    const { kind, key } = pair.resource;
    const [missing, changed] = [this.#missing.get(key), this.#changed.get(key)];
    const mend = missing ?? changed;
    if (kind !== 'page') return this.#kept(pair);
    if (mend === undefined) return [];
    // In a change request it stands among its siblings as that was made.
    const isOrdered = !this.#sides.plan.review && (missing !== undefined || isPlaced(mend));
    const left = missing ? [] : this.#leftOf(mend, pair);
    return [...left, ...this.#elsewhere(mend, pair), ...(isOrdered ? [] : ['position'])];
  }

  /** True for a page that stands right behind the nearest of those that stood before it, whatever else stands there by now. */
  isInPlace({ resource, restored }: Pair): boolean {
    const [tree, now] = [treeOf(resource), treeOf(restored)];
    if (tree === null || now === null || !this.#isPut(resource)) return false;
    const { ids } = this.#sides;
    const stood = (this.#stood(tree).get(resource.parent) ?? []).map((id) =>
      ids.get(tree.kind, `${tree.holder}/${id}`),
    );
    const all = this.#standing(now).get(restored.parent) ?? [];
    const before = new Set(stood);
    const known = all.filter((id) => before.has(id));
    const there = new Set(known);
    if (!there.has(restored.id)) return false;
    const previous = stood.slice(0, stood.indexOf(restored.id)).findLast((id) => id !== undefined && there.has(id));
    return known[known.indexOf(restored.id) - 1] === previous;
  }

  /** True for a page among what others have made of its space, or of its change request, meanwhile. */
  #isPut({ kind, key }: Resource): boolean {
    if (kind === 'change-request-page') return this.#sides.live !== null;
    return this.#missing.has(key) || this.#changed.has(key);
  }

  /** What somebody gave a value that had none, and that no operation takes a value from. */
  #kept({ resource }: Pair): string[] {
    const { kind, key } = resource;
    const stood = this.#sides.live?.one(kind, key);
    if (!stood) return [];
    const [wanted, was] = [writableValues(resource), writableValues(stood)];
    return writableFields(kind).filter(
      (field) => isNone(wanted[field]) && !isNone(was[field]) && noValue(kind, field) === undefined,
    );
  }

  /** Of a page that comes back below another one than it stood below, or under another name. */
  #elsewhere({ below, importedAs, fields = [] }: PageMend, { got }: Pair): string[] {
    const { ids } = this.#sides;
    const isBelow =
      below !== undefined && got['parent'] === (below === null ? null : (ids.byId('page', below) ?? below));
    const isNamed = importedAs !== undefined && fields.length === 0;
    const names = isNamed ? NAMES.filter((field) => got[field] === importedAs) : [];
    return [...(isBelow ? ['parent'] : []), ...names];
  }

  /** What differed when the plan was made, and is not set back. */
  #leftOf({ id, of = id, why, fields: said = [] }: PageMend, { resource, wanted, got }: Pair): string[] {
    const { live, ids } = this.#sides;
    const stood = of === id ? live?.one('page', resource.key) : undefined;
    if (!stood) return [];
    const values = wantedValues(stood, ids);
    const isSet = (field: string): boolean => why.includes(field === 'markdown' ? 'text' : field);
    const isAsSaid = said.some(({ field, to }) => field === 'slug' && got['slug'] === to);
    const fields = [...new Set([...Object.keys(wanted), ...Object.keys(values)])];
    const left = fields.filter(
      (field) => field !== 'position' && !isSet(field) && !isAlike(wanted[field], values[field]),
    );
    return [...left, ...(isAsSaid ? ['slug'] : [])];
  }
}

const NAMES = ['slug', 'title'] as const;

function isNone(value: unknown): boolean {
  return (value ?? '') === '';
}

function isAlike(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}
