// Where a page stands in its space, as far as an import tells one page from another by it.
import type { Page } from '../contract/index.ts';

/** Link pages have no path; their title and target tell them apart. */
export function byPlace(page: Pick<Page, 'path' | 'type' | 'title' | 'href'>): string {
  return page.path ?? `${page.type} ${page.title} ${page.href ?? ''}`;
}

export function flatten(pages: readonly Page[]): Page[] {
  return pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
}
