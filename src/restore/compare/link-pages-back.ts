// What of link pages with a reference need not come back as it was, by what the ledger says of references.
import { lazyBy } from '../../base/index.ts';
import { isPage } from '../../contract/index.ts';
import { AppAddresses } from '../../export/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { isReference, LinkPages } from '../links/link-pages.ts';
import { spaceOf } from '../resource.ts';

const LEADING = ['target', 'href'] as const;

export class LinkPagesBack {
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
