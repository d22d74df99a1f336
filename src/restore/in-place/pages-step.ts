// A step on the pages of a space that stands, and what it sends, with an import and without.
import { MOST_CHANGES } from '../../contract/index.ts';
import type { Outlined } from '../../mirror/index.ts';
import { insertRequests } from '../plan/by-edits.ts';
import { isLook } from '../special/looks.ts';
import type { NewStep, StepList } from '../plan/step-list.ts';
import { textAt, titleOf } from '../resource.ts';
import { partsAmong } from '../content/import-parts.ts';
import { filesShown, namesPaths, pagesLinked } from '../links/links.ts';
import type { PageMend, PagesMend } from '../types.ts';
import type { Mending } from './input.ts';

// Three to find a change request of an earlier try, one to make it, one to merge it; two for the space before and after it is filled, and
// two for its content before and after.
const AROUND = 9;

interface Sending {
  readonly list: StepList;
  /** How many go in. */
  readonly imports: number;
  /** Pages that are read once they are back. */
  readonly reads: number;
}

function withLook({ why }: PageMend): boolean {
  return why.some(isLook);
}

/** In how many imports it goes in. */
function importsOf(
  { reader, importLimits }: Pick<Mending, 'reader' | 'importLimits'>,
  space: string,
  { missing, changed }: PagesMend,
): number {
  const ids = new Set([...missing, ...changed.filter(withLook)].map(({ id }) => id));
  return partsAmong(reader, { space, ids }, importLimits)?.length ?? 1;
}

/** Missing pages that link to what comes back with them, or by a path: whether the import has led these there is looked at. */
function linkingBack({ reader }: Pick<Mending, 'reader'>, space: string, { missing, files }: PagesMend): number {
  const ids = new Set([...missing, ...files].map(({ id }) => id));
  const leadsBack = (text: string): boolean =>
    namesPaths(text) || [...pagesLinked(text), ...filesShown({ body: {}, text })].some((id) => ids.has(id));
  return missing.filter(({ id }) => leadsBack(reader.one('page', `${space}/${id}`)?.text ?? '')).length;
}

/** With an import, edits in batches, each text read whose links are turned, and once for all what became of a heading. */
function withImport({ list: { steps }, imports, reads }: Sending, pages: PagesMend): number {
  const { missing, files, changed, added, links = [] } = pages;
  const isAny = missing.length + files.length > 0 || changed.some(withLook);
  // Each with the content after it; several are sent twice, since links between them need the ids of the first time.
  const importing = isAny ? 2 * (imports > 1 ? 2 * imports : 1) : 0;
  const batches = Math.ceil((changed.length + added.length + missing.length + links.length) / MOST_CHANGES);
  const writesTexts = changed.length + links.length + reads > 0;
  const headings = writesTexts && !steps.some(({ part }) => part === 'pages') ? 1 : 0;
  return AROUND + importing + (batches > 0 ? batches + 1 : 0) + links.length + reads + headings;
}

type Requests = Pick<NewStep, 'requests' | 'byEdits'>;

/** @param outline Of the pages of the space as the snapshot has them. */
function requestsFor(sending: Sending, pages: PagesMend, outline: Iterable<Outlined>): Requests {
  const { missing, files } = pages;
  const requests = withImport(sending, pages);
  if (missing.length + files.length === 0) return { requests };
  const ids = new Set(missing.map(({ id }) => id));
  const parents = new Map([...outline].flatMap(({ id, parent }) => (ids.has(id) ? [[id, parent] as const] : [])));
  const others = withImport({ ...sending, reads: 0 }, { ...pages, missing: [], files: [] });
  return { requests, byEdits: others + insertRequests({ parents, files: files.length }) };
}

interface PagesStep extends Pick<NewStep, 'action' | 'needs' | 'linksTo' | 'losses' | 'mend'> {
  readonly pages: PagesMend;
  readonly note: string;
}

/** Expects the space as it stands, unless told otherwise; nothing for a space whose content is not on both sides. */
export function addPagesStep({ list, reader, live, importLimits }: Mending, space: string, step: PagesStep): void {
  const [container, revision] = [live.one('space', space), reader.one('revision', space)];
  if (!container || !revision) return;
  const imports = importsOf({ reader, importLimits }, space, step.pages);
  list.add({
    part: 'pages',
    of: revision,
    title: titleOf(container),
    mend: { expects: textAt(container.body, 'revision') ?? null, fields: [] },
    ...requestsFor(
      { list, imports, reads: linkingBack({ reader }, space, step.pages) },
      step.pages,
      reader.outline('page', space),
    ),
    ...step,
  });
}
