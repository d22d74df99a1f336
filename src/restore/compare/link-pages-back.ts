// What of link pages with a reference need not come back as it was, by what the ledger says of references.
import { AppAddresses } from '../../export/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { isReference, LinkPages } from '../links/link-pages.ts';
import { spaceOf } from '../resource.ts';

const LEADING = ['target', 'href'] as const;

export class LinkPagesBack {
  readonly #original: SnapshotReader;
  readonly #addresses: AppAddresses;
  readonly #spaces = new Map<string, LinkPages>();
  /** Below which pages there is a link that no import makes; null is the top. */
  readonly #gaps = new Map<string, ReadonlySet<string | null>>();

  constructor(original: SnapshotReader) {
    this.#original = original;
    this.#addresses = new AppAddresses(original);
  }

  /** Fields in which a page may differ: those of a reference, and the place behind a link that does not come back. */
  untold(resource: Resource): readonly string[] {
    const { kind, parent } = resource;
    if (kind !== 'page' && kind !== 'change-request-page') return [];
    const space = spaceOf(resource);
    const isLeading = isReference(resource) || this.#in(space).isLate(resource);
    const isBehind = kind === 'page' && this.#gapsIn(space).has(parent);
    return [...(isLeading ? LEADING : []), ...(isBehind ? ['position'] : [])];
  }

  #in(space: string): LinkPages {
    const known = this.#spaces.get(space) ?? new LinkPages(this.#original, { space }, this.#addresses);
    this.#spaces.set(space, known);
    return known;
  }

  #gapsIn(space: string): ReadonlySet<string | null> {
    const known = this.#gaps.get(space);
    if (known !== undefined) return known;
    const gaps = new Set<string | null>();
    for (const page of this.#original.outline('page', space))
      if (page.holds && this.#in(space).isBeyondImport(page)) gaps.add(page.parent);
    this.#gaps.set(space, gaps);
    return gaps;
  }
}
