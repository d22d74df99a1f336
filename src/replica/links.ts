// Links of a space, of a page, to a file: all from the one list that the mirror keeps of each space.
import { isRecord } from '../base/index.ts';
import type { Resource } from '../mirror/index.ts';
import { listed, need, told, type View } from './view.ts';
import { show, type Body } from './show.ts';

interface Asked {
  readonly space: string;
  readonly page?: string;
  readonly status?: unknown;
}

export interface Links {
  readonly items: readonly Body[];
  readonly stats: Body;
}

/** Links of a space, or of one of its pages. */
export function linksOf(view: View, { space, page, status }: Asked): Links {
  need(view, 'space', space);
  if (page !== undefined) need(view, 'page', `${space}/${page}`);
  const all = linksIn(view, space)
    .map((link) => show(view, link))
    .flatMap((link) => (page === undefined ? [link] : heldBy(link, page)));
  const broken = all.filter((link) => link['status'] === 'broken').length;
  return {
    items: all.filter((link) => status === undefined || link['status'] === status),
    stats: { total: all.length, broken: { total: broken } },
  };
}

function linksIn(view: View, space: string): readonly Resource[] {
  return told(view, { kind: 'link', within: space }, listed(view, 'link', space));
}

/** The link as one page holds it; none when that page does not. */
function heldBy(link: Body, page: string): Body[] {
  const holders = holdersOf(link).filter((holder) => isRecord(holder['page']) && holder['page']['id'] === page);
  return holders.length === 0 ? [] : [{ ...link, locationReferences: holders }];
}

function holdersOf(link: Body): Body[] {
  const references = link['locationReferences'];
  return (Array.isArray(references) ? references : []).filter(isRecord);
}

/** The pages and reusable contents that link to a file, by their ids. */
export function backlinksOf(view: View, { space, file }: { space: string; file: string }): Body[] {
  need(view, 'space', space);
  need(view, 'file', `${space}/${file}`);
  const links = linksIn(view, space).map((link) => show(view, link));
  const to = links.filter(
    ({ targetReference: target }) => isRecord(target) && isRecord(target['file']) && target['file']['id'] === file,
  );
  return to.flatMap(holdersOf).toSorted((a, b) => (idIn(a) < idIn(b) ? -1 : 1));
}

function idIn(holder: Body): string {
  const inner = holder['page'] ?? holder['reusableContent'];
  return isRecord(inner) ? String(inner['id']) : '';
}
