// What `computed=false` and `metadata=false` ask for. The mirror holds each tree as it is read, with the pages that are computed from a
// source; they name it, so that the one entry which they stand for can be put back in their place.
import { canonicalJson, isRecord } from '../base/index.ts';
import type { Body } from './show.ts';

/** The tree as it is stored: every entry that pages are computed from, and none of those pages. */
export function storedPages(pages: readonly Body[], above: Body | null = null): Body[] {
  return pages
    .filter((page) => !isMadeFrom(page, above))
    .map((page) => {
      const shown = sourceOf(page) === null ? page : asEntry(page);
      const below = page['pages'];
      return Array.isArray(below) ? { ...shown, pages: storedPages(below.filter(isRecord), page) } : shown;
    });
}

/** What a page is computed from; null for one that people wrote. */
function sourceOf({ computed }: Body): string | null {
  if (!isRecord(computed)) return null;
  const { props: _, ...source } = computed;
  return canonicalJson(source);
}

/** True for a page that the entry above it stands for. Of two entries within each other, each has an overview of its own. */
function isMadeFrom(page: Body, above: Body | null): boolean {
  const source = sourceOf(page);
  return source !== null && above !== null && source === sourceOf(above) && !isOverview(page);
}

/** The entry's own page shows what the source says of itself. */
function isOverview({ computed }: Body): boolean {
  const props = isRecord(computed) && isRecord(computed['props']) ? computed['props'] : {};
  return props['doc'] === 'info' && props['page'] === undefined;
}

function asEntry(page: Body): Body {
  const { computedSeed: _, ...rest } = page;
  const source = isRecord(page['computed']) ? page['computed'] : {};
  return { ...rest, type: 'computed', computed: isOverview(page) ? { ...source, props: {} } : source };
}

const PARTS = ['pages', 'files', 'reusableContents'];

/** Without what git knows of a revision, its pages and its files, which may change while the revision stands. */
export function withoutMetadata(content: Body): Body {
  const { git: _, ...rest } = content;
  const parts = PARTS.flatMap((name): [string, unknown][] => {
    const part = rest[name];
    return Array.isArray(part) ? [[name, part.filter(isRecord).map(withoutMetadata)]] : [];
  });
  return { ...rest, ...Object.fromEntries(parts) };
}
