// Links of a space, of a page, to a file: all from the one list that the mirror keeps of each space.
import { isRecord } from '../base/index.ts';
import type { Resource } from '../mirror/index.ts';
import { List } from './list.ts';
import { listed, listedNaming, need, told, type View } from './view.ts';
import { show, type Body } from './show.ts';

interface Asked {
  readonly space: string;
  readonly page?: string;
  readonly status?: unknown;
}

/** Links of a space, or of one of its pages. */
export function linksOf(view: View, { space, page, status }: Asked): List {
  need(view, 'space', space);
  if (page !== undefined) need(view, 'page', `${space}/${page}`);
  const all =
    page === undefined ? linksIn(view, space) : linksNaming(view, space, page).flatMap((link) => heldBy(link, page));
  const broken = all.filter(({ body }) => body['status'] === 'broken').length;
  const asked = all.filter(({ body }) => status === undefined || body['status'] === status);
  const stats = { total: all.length, broken: { total: broken } };
  // Each names the space and the organization of all that it joins: only those that are shown are made whole.
  return new List(asked.length, (index) => asked[index] && show(view, asked[index]), { beside: { stats } });
}

function linksIn(view: View, space: string): readonly Resource[] {
  return told(view, { kind: 'link', within: space }, listed(view, 'link', space));
}

/** Those that name a page or file; told apart from all, of which there may be thousands, before they are read. */
function linksNaming(view: View, space: string, id: string): readonly Resource[] {
  const naming = listedNaming(view, id, { kind: 'link', within: space });
  return view.reader.count('link', space) > 0 ? naming : told(view, { kind: 'link', within: space }, naming);
}

/** The link as one page holds it; none when that page does not. */
function heldBy(link: Resource, page: string): Resource[] {
  const holders = holdersOf(link.body).filter((holder) => isRecord(holder['page']) && holder['page']['id'] === page);
  return holders.length === 0 ? [] : [{ ...link, body: { ...link.body, locationReferences: holders } }];
}

function holdersOf(link: Body): Body[] {
  const references = link['locationReferences'];
  return (Array.isArray(references) ? references : []).filter(isRecord);
}

/** The pages and reusable contents that link to a file, by their ids. */
export function backlinksOf(view: View, { space, file }: { space: string; file: string }): Body[] {
  need(view, 'space', space);
  need(view, 'file', `${space}/${file}`);
  const to = linksNaming(view, space, file).filter(({ body: { targetReference: target } }) => {
    return isRecord(target) && isRecord(target['file']) && target['file']['id'] === file;
  });
  return to.flatMap((link) => holdersOf(show(view, link))).toSorted((a, b) => (idIn(a) < idIn(b) ? -1 : 1));
}

function idIn(holder: Body): string {
  const inner = holder['page'] ?? holder['reusableContent'];
  return isRecord(inner) ? String(inner['id']) : '';
}
