// What the target refuses of what a restore brings, as the journal notes it and as people are told.
import { count } from '../../base/index.ts';

/** What of a page or file the target does not take. */
export interface Untaken {
  readonly kind: 'page' | 'file';
  /** As the snapshot has it or, of what stands, as it stands. */
  readonly id: string;
  readonly title: string;
  readonly what: UntakenPart;
  /** In the words of the target. */
  readonly why: string;
}

/**
 * `all` of it; the `content` of a page, which comes with its place and its title alone; its `look`, which only an import sets; its `links`
 * to what came with other imports; an `edit` of it.
 */
export type UntakenPart = 'all' | 'content' | 'look' | 'links' | 'edit';

const HOW: Readonly<Record<UntakenPart, string>> = {
  all: 'was refused',
  content: 'came with its title alone',
  look: 'is without its cover and layout as they were',
  links: 'links as it was written to what came with other imports',
  edit: 'is not in everything as it was to be',
};

/** What people are told of one. */
export function untakenLine({ kind, title, what, why }: Untaken): string {
  return `${kind} ${title} ${HOW[what]}: ${why}`;
}

/** Where pages came that stood below one that did not come: below the page of that title, or to the top. */
export function raisedLine(pages: number, above: string | null): string {
  const place = above === null ? 'to the top' : `below page ${above}`;
  return `${count(pages, 'page')} that stood below it came ${place}`;
}
