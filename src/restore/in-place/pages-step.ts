// A step on the pages of a space that stands, and what it sends, with an import and without.
import { MOST_CHANGES } from '../../contract/index.ts';
import type { Outlined } from '../../mirror/index.ts';
import { insertRequests } from '../plan/by-edits.ts';
import { isLook } from '../special/looks.ts';
import type { NewStep, StepList } from '../plan/step-list.ts';
import { textAt, titleOf } from '../resource.ts';
import { partsAmong } from '../content/import-parts.ts';
import type { PageMend, PagesMend } from '../types.ts';
import type { Mending } from './input.ts';

// Three to find a change request of an earlier try, one to make it, one to merge it; one for the space, and two for its content before and after.
const AROUND = 8;

interface Sending {
  readonly list: StepList;
  /** How many go in. */
  readonly imports: number;
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

/** With an import, edits in batches, each text read whose links are turned, and once for all what became of a heading. */
function withImport({ list: { steps }, imports }: Sending, pages: PagesMend): number {
  const { missing, files, changed, added, links = [] } = pages;
  const isAny = missing.length + files.length > 0 || changed.some(withLook);
  // Each with the content after it; several are sent twice, since links between them need the ids of the first time.
  const importing = isAny ? 2 * (imports > 1 ? 2 * imports : 1) : 0;
  const batches = Math.ceil((changed.length + added.length + missing.length + links.length) / MOST_CHANGES);
  const writesTexts = changed.length + links.length > 0;
  const headings = writesTexts && !steps.some(({ part }) => part === 'pages') ? 1 : 0;
  return AROUND + importing + (batches > 0 ? batches + 1 : 0) + links.length + headings;
}

type Requests = Pick<NewStep, 'requests' | 'byEdits'>;

/** @param outline Of the pages of the space as the snapshot has them. */
function requestsFor(sending: Sending, pages: PagesMend, outline: Iterable<Outlined>): Requests {
  const { missing, files } = pages;
  const requests = withImport(sending, pages);
  if (missing.length + files.length === 0) return { requests };
  const ids = new Set(missing.map(({ id }) => id));
  const parents = new Map([...outline].flatMap(({ id, parent }) => (ids.has(id) ? [[id, parent] as const] : [])));
  const others = withImport(sending, { ...pages, missing: [], files: [] });
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
    action: 'update',
    part: 'pages',
    of: revision,
    title: titleOf(container),
    mend: { expects: textAt(container.body, 'revision') ?? null, fields: [] },
    ...requestsFor({ list, imports }, step.pages, reader.outline('page', space)),
    ...step,
  });
}
