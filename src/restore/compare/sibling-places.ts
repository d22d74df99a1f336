// Where collections, spaces and parts of a site stand among their siblings, as the listings tell it. The order of what a group or a
// section holds is compared with the list that it shows.
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { misplaced } from '../in-place/sibling-orders.ts';
import type { IdMap } from '../journal/id-map.ts';
import { idsAt, keyAbove, textAt, titleOf } from '../resource.ts';
import { ContainerOrder } from '../special/container-order.ts';
import { rootOrder, spacesIn } from '../special/site-order.ts';
import { findRestored } from './find-restored.ts';
import type { Sides } from './sides.ts';

/** A place in words: the sibling that something stands behind. */
interface Placed {
  readonly position: string;
}

/** Siblings of the snapshot that are on the target, by their ids there: where each stood and stands, and which must move. */
interface Row {
  readonly stood: ReadonlyMap<string, Placed>;
  readonly now: ReadonlyMap<string, Placed>;
  readonly wrong: ReadonlySet<string>;
}

/** Reads each row of siblings once, when it is first asked about. */
export class SiblingPlaces {
  readonly #sides: Sides;
  readonly #was: ContainerOrder;
  readonly #is: ContainerOrder;
  readonly #rows = new Map<string, Row>();
  /** In place, what the plan puts into its order: null where that is everything. */
  readonly #placed: ReadonlySet<string> | null;

  constructor(sides: Sides) {
    this.#sides = sides;
    const { plan, original, restored, live } = sides;
    this.#was = new ContainerOrder(original, plan.organization);
    this.#is = new ContainerOrder(restored, plan.target.organization);
    const placed = plan.steps.filter(({ part }) => part === 'order' || part === 'create');
    this.#placed = live === null ? null : new Set(placed.map(({ kind, key }) => `${kind} ${key}`));
  }

  /** Undefined for what stands alone, or in no row that a listing tells the order of. */
  of({ kind, key, body }: Resource, { id }: Resource): { readonly wanted: Placed; readonly got: Placed } | undefined {
    if (this.#placed?.has(`${kind} ${key}`) === false) return undefined;
    const row = this.#rowOf({ kind, key, body });
    const [wanted, now] = [row?.stood.get(id), row?.now.get(id)];
    if (row === undefined || wanted === undefined || now === undefined || row.now.size < 2) return undefined;
    return { wanted, got: row.wrong.has(id) ? now : wanted };
  }

  #rowOf({ kind, key, body }: Pick<Resource, 'kind' | 'key' | 'body'>): Row | undefined {
    switch (kind) {
      case 'collection':
      case 'space': {
        const parent = textAt(body, 'parent');
        return this.#row(`${kind} ${parent ?? ''}`, () => this.#inContainer(kind, parent));
      }
      case 'site-section':
      case 'site-section-group':
        return this.#row(`root ${keyAbove(key)}`, () => this.#inSite(keyAbove(key), rootOrder));
      case 'site-space':
        return this.#row(`places ${keyAbove(key)}`, () => this.#inSite(keyAbove(key), spacesOutside));
      default:
        return undefined;
    }
  }

  #row(name: string, both: () => Both): Row {
    const known = this.#rows.get(name) ?? rowOf(this.#sides.ids, both());
    this.#rows.set(name, known);
    return known;
  }

  #inContainer(kind: 'collection' | 'space', parent: string | undefined): Both {
    const there = parent === undefined ? undefined : this.#sides.ids.get('collection', parent);
    const isGone = parent !== undefined && there === undefined;
    const now = isGone ? [] : this.#is.below(kind, there);
    const { isAway } = this.#sides;
    return { stood: this.#was.below(kind, parent), now: now.filter(({ key }) => !isAway(kind, key)) };
  }

  #inSite(key: string, ordered: (reader: SnapshotReader, site: Resource) => readonly Resource[]): Both {
    const { original, restored, ids } = this.#sides;
    const site = original.one('site', key);
    const there = site && findRestored(ids, restored, site);
    return site && there ? { stood: ordered(original, site), now: ordered(restored, there) } : { stood: [], now: [] };
  }
}

interface Both {
  readonly stood: readonly Resource[];
  readonly now: readonly Resource[];
}

function spacesOutside(reader: SnapshotReader, site: Resource): readonly Resource[] {
  return spacesIn(reader, site, undefined);
}

function rowOf(ids: IdMap, both: Both): Row {
  const titles = new Map<string, string>();
  for (const one of both.stood) {
    const id = hasPlace(one) ? ids.get(one.kind, one.key) : undefined;
    if (id !== undefined) titles.set(id, titleOf(one));
  }
  const now = both.now.filter((one) => hasPlace(one) && titles.has(one.id)).map(({ id }) => id);
  const there = new Set(now);
  const stood = [...titles.keys()].filter((id) => there.has(id));
  return { stood: placesIn(stood, titles), now: placesIn(now, titles), wrong: new Set(misplaced(stood, now)) };
}

/** No listing shows a group without sections among the others. */
function hasPlace({ kind, body }: Resource): boolean {
  return kind !== 'site-section-group' || idsAt(body['sections']).length > 0;
}

function placesIn(row: readonly string[], titles: ReadonlyMap<string, string>): Map<string, Placed> {
  const behind = (before: string | undefined): string =>
    before === undefined ? 'first' : `behind ${titles.get(before) ?? before}`;
  return new Map(row.map((id, i) => [id, { position: behind(row[i - 1]) }]));
}
