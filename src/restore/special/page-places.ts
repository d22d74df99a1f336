// Where a page stands in its space, as far as an import tells one page from another by it.
import type { Page } from '../../contract/index.ts';
import type { PageMend } from '../types.ts';

/** Link pages have no path; their title and target tell them apart. Of those to an address not every platform says it twice. */
export function byPlace({ path, type, title, href, target }: Named): string {
  return path ?? `${type} ${title} ${href ?? (target?.kind === 'url' ? target.url : '')}`;
}

type Named = Pick<Page, 'path' | 'type' | 'title' | 'href' | 'target'>;

export function flatten(pages: readonly Page[]): Page[] {
  return pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
}

/** Set back to where it stood; a page in the place of another one stands where somebody made it among its siblings. */
export function isPlaced({ why, of }: PageMend): boolean {
  return of !== undefined || why.includes('parent') || why.includes('order');
}
