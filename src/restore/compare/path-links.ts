// A text may name a page or a file by its path, as one that a person wrote. An import takes such a link over as one that names what it
// leads to by its id: the same place, said otherwise.
import { addressById, rewriteLinks } from '../../base/index.ts';
import { keepLinks, pathLinked, spaceLayout } from '../../export/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import { idsWithin, withinOf } from '../journal/ids-within.ts';

/** Where what lies in a space, or in a change request, stands in an import of it. */
interface Places {
  readonly pathOf: (page: string) => string | undefined;
  readonly at: ReadonlyMap<string, { readonly kind: 'page' | 'file'; readonly id: string }>;
}

export class PathLinks {
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
