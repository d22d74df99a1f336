// What spaces hold: content by import, links once everything stands, values of custom fields.
import { count, type Pieces } from '../../base/index.ts';
import { renamedFiles } from '../../export/index.ts';
import { PAGES_AT_ONCE, type Resource } from '../../mirror/index.ts';
import { chosenContent } from '../selection/chosen-content.ts';
import { partsOf, type ContentSource } from '../content/import-parts.ts';
import { lossesOf, mergeLosses, type Losses } from '../ledger.ts';
import { AddressLinks } from '../links/address-links.ts';
import { linkedElsewhere, linksOutOrTo } from '../links/links.ts';
import { isReference, LinkPages } from '../links/link-pages.ts';
import { includedContents } from '../special/included.ts';
import { notImported } from '../special/not-imported.ts';
import { beyondImport, isFileless, NOT_IMPORTED } from '../special/page-fields.ts';
import { countRaised } from '../content/raised-pages.ts';
import { firstOf, hasValue, titleOf } from '../resource.ts';
import { insertRequests, OWN_REQUEST, rewriteRequests } from './by-edits.ts';
import type { Planning } from './step-list.ts';

export function addContent(planning: Planning, space: Resource): void {
  const { list, review, reader } = planning;
  const revision = reader.one('revision', space.key);
  const { pages, files, renamed } = sizeOf(planning, space);
  if (!revision || pages === 0) return;
  const imports = importsOf(planning, { space: space.id });
  const named =
    renamed === 0 ? '' : ` (${renamed} under another name, since its own is taken or cannot stand in an archive)`;
  const raised = countRaised(reader, space.id);
  const where = reader.unread('page', space.id).length === 0 ? 'a link' : 'a link, or a page that was never read';
  const placed = raised === 0 ? '' : ` (${raised} at the top, since nothing goes below ${where})`;
  const note = `${count(pages, 'page')}${placed} and ${count(files, 'file')}${named} by ${imports === 1 ? 'import' : `${imports} imports`}${review ? ', as a change request to be merged by a person' : ''}`;
  list.add({
    part: 'content',
    of: revision,
    title: titleOf(space),
    note,
    needs: [list.creatorOf('space', space.key)],
    imports,
    requests: importRequests(imports) + (review ? 3 : 1),
    byEdits: insertRequests({ parents: parentsOf(planning, space), files }) + (review ? 3 : OWN_REQUEST),
    losses: contentLosses(planning, space),
  });
}

/** The page above each of those that were asked for, by id. */
function parentsOf({ reader, selection }: Planning, space: Resource): Map<string, string | null> {
  const only = selection.limitOf('page');
  const pages = [...reader.outline('page', space.key)].filter(({ key, holds }) => holds && only?.has(key) !== false);
  return new Map(pages.map(({ id, parent }) => [id, parent]));
}

interface Size {
  readonly pages: number;
  readonly files: number;
  /** Of the files, those that an import is given under another name than they have. */
  readonly renamed: number;
}

/** Of single pages, those alone come with the files that they show. */
function sizeOf({ reader, selection }: Planning, space: Resource): Size {
  const only = selection.limitOf('page');
  const renamed = renamedFiles(reader, space.id);
  if (only === null)
    return { pages: reader.count('page', space.id), files: reader.count('file', space.id), renamed: renamed.size };
  const { pages, files } = chosenContent(reader, space.id, only);
  return { pages: pages.size, files: files.size, renamed: [...files].filter((id) => renamed.has(id)).length };
}

/** In how many imports a content goes in. */
export function importsOf({ reader, importLimits, selection }: Planning, source: ContentSource): number {
  if (source.changeRequest === undefined && selection.limitOf('page') !== null) return 1;
  return partsOf(reader, source, importLimits)?.length ?? 1;
}

/** Several are sent twice, since links between them need the ids of the first time. */
export function importRequests(imports: number): number {
  return imports === 1 ? 1 : 2 * imports + 1;
}

/** What does not come back exactly of any page that is meant, or file of the space, as `page.field`. */
function contentLosses({ reader, selection }: Planning, space: Resource): Losses {
  let all: Losses = { bestEffort: [], lost: [] };
  const only = selection.limitOf('page');
  for (const kind of ['page', 'file'] as const) {
    for (const one of reader.resources(kind, space.id)) {
      if (kind === 'page' && only?.has(one.key) === false) continue;
      const { bestEffort, lost } = lossesOf(one);
      const within = (field: string): string => `${kind}.${field}`;
      const referring = isReference(one) ? [...bestEffort, 'target'] : bestEffort;
      all = mergeLosses(all, { bestEffort: referring.map(within), lost: lost.map(within) });
    }
  }
  return includedContents(reader, selection, space.id).size === 0
    ? all
    : mergeLosses(all, { bestEffort: [], lost: ['reusable-content'] });
}

/** Links whose targets have an address only once they stand: in other spaces, or pages that no file of an import is. */
export function* addLinks(planning: Planning, space: Resource): Pieces<void> {
  const { list, reader, review, selection, addresses } = planning;
  const only = selection.limitOf('page');
  const fileless = filelessPages(planning, space);
  let pages = 0;
  let late = 0;
  const linkPages = new LinkPages(reader, { space: space.id }, addresses);
  const links = new AddressLinks(addresses, space.id);
  // Of each space its own address is read, and those of its pages.
  const reads = new Set<string>();
  const linked = new Set<string>();
  let looked = 0;
  for (const page of reader.resources('page', space.id)) {
    if (++looked % PAGES_AT_ONCE === 0) yield;
    if (only?.has(page.key) === false) continue;
    const shown = page.text === null ? null : links.byId(page.text);
    if (page.text !== null && shown !== null && linksOutOrTo(shown, fileless)) {
      pages += 1;
      for (const one of linkedElsewhere(shown, space.id)) linked.add(one.space);
      for (const { to, space: into } of links.outside(page.text))
        if (into !== null && list.spacesMade.has(into)) reads.add(`${to} ${into}`);
    }
    const referred = linkPages.referred(page);
    if (referred !== null) {
      late += 1;
      linked.add(firstOf(referred.key));
    }
    if (linkPages.isBeyondImport(page)) list.addUnsupported(page, NO_ADDRESS);
  }
  const revision = reader.one('revision', space.key);
  if (pages + late === 0 || !revision) return;
  linked.delete(space.id);
  const leading = [...linked].map((one) => list.creatorOf('revision', one) ?? list.creatorOf('space', one));
  const texts = `links of ${count(pages, 'page')} into other spaces${fileless.size > 0 ? ', or to groups and links,' : ','} once those are there`;
  const lines = `${count(late, 'link page')}, once what they refer to is there`;
  const note = [...(pages > 0 ? [texts] : []), ...(late > 0 ? [lines] : [])].join('; ');
  list.add({
    part: 'links',
    of: revision,
    title: titleOf(space),
    note,
    // Only of the spaces that it links into: any other that cannot be made keeps neither these links nor the settings after them away.
    needs: [list.creatorOf('revision', space.key), ...leading],
    requests: importRequests(importsOf(planning, { space: space.id })) + (review ? 1 : 0) + reads.size + LOOK,
    byEdits: rewriteRequests(pages) + (review ? 1 : OWN_REQUEST) + reads.size + LOOK,
  });
}

/** Whether somebody has changed pages of it since. */
const LOOK = 1;

const NO_ADDRESS = 'a link page without an address, to what no import refers to: does not come back';

/** What an import does not keep of pages, once nothing is imported any more: another import would take it away again. */
export function addNotImported({ list, reader, review, selection }: Planning, space: Resource): void {
  const { titled, shown } = notImported(reader, { space: space.id, only: selection.limitOf('page') });
  const revision = reader.one('revision', space.key);
  if (titled.length + shown.length === 0 || !revision) return;
  const titles = `${count(titled.length, 'title')} that an import does not keep (empty, of several lines, or with space around)`;
  const said = new Set(shown.flatMap(({ body }) => beyondImport(body)));
  const fields = NOT_IMPORTED.filter((field) => said.has(field)).join(', ');
  const groups = `what no import tells of ${count(shown.length, 'page')} that ${shown.length === 1 ? 'is a group or link' : 'are groups or links'} (${fields})`;
  const what = [...(titled.length > 0 ? [titles] : []), ...(shown.length > 0 ? [groups] : [])].join('; ');
  const way = review ? 'in the same change request' : 'by a change request that is merged at once';
  list.add({
    part: 'name',
    of: revision,
    title: titleOf(space),
    note: `${what}, ${way}`,
    needs: [list.creatorOf('revision', space.key), list.linkerOf(space.key)],
    requests: review ? 3 : 5,
  });
}

/** Groups and links stand in the table of contents alone: nothing that is imported can name them. */
function filelessPages({ reader }: Planning, space: Resource): Set<string> {
  const ids = new Set<string>();
  for (const { id, holds, body } of reader.outline('page', space.id)) if (holds && isFileless(body)) ids.add(id);
  return ids;
}

/** All values of a space in one write. */
export function addValues({ list, reader, selection }: Planning, space: Resource): void {
  // Of a field that the snapshot does not hold, as where the token was refused it, no value can be set.
  const values = [...reader.resources('custom-field-value', space.key)].filter(
    (one) => hasValue(one) && reader.one('custom-field', `${selection.organization}/${one.id}`) !== undefined,
  );
  const [first] = values;
  if (!first) return;
  const fields = values.map(({ id }) => list.creatorOf('custom-field', `${selection.organization}/${id}`));
  list.add({
    part: 'values',
    of: { ...first, key: space.key },
    title: titleOf(space),
    note: `values of ${values.map(({ id }) => id).join(', ')}`,
    needs: [list.creatorOf('space', space.key)],
    // One that cannot be made keeps the values of no other away.
    linksTo: fields,
  });
}
