// A step on the pages of a space that stands, and what it sends, with an import and without.
import { MOST_CHANGES } from '../../contract/index.ts';
import type { Outlined } from '../../mirror/index.ts';
import { insertRequests } from '../plan/by-edits.ts';
import { isLook } from '../special/looks.ts';
import type { NewStep, StepList } from '../plan/step-list.ts';
import { textAt, titleOf } from '../resource.ts';
import type { PagesMend } from '../types.ts';
import type { Mending } from './input.ts';

// Three to find a change request of an earlier try, one to make it, one to merge it; one for the space, and two for its content before and after.
const AROUND = 8;

/** With an import, edits in batches, each text read whose links are turned, and once for all what became of a heading. */
function withImport({ steps }: StepList, { missing, files, changed, added, links = [] }: PagesMend): number {
  const isAny = missing.length + files.length > 0 || changed.some(({ why }) => why.some(isLook));
  const imports = isAny ? 2 : 0;
  const batches = Math.ceil((changed.length + added.length + missing.length + links.length) / MOST_CHANGES);
  const writesTexts = changed.length + links.length > 0;
  const headings = writesTexts && !steps.some(({ part }) => part === 'pages') ? 1 : 0;
  return AROUND + imports + (batches > 0 ? batches + 1 : 0) + links.length + headings;
}

type Requests = Pick<NewStep, 'requests' | 'byEdits'>;

/** @param outline Of the pages of the space as the snapshot has them. */
function requestsFor(list: StepList, pages: PagesMend, outline: Iterable<Outlined>): Requests {
  const { missing, files } = pages;
  const requests = withImport(list, pages);
  if (missing.length + files.length === 0) return { requests };
  const ids = new Set(missing.map(({ id }) => id));
  const parents = new Map([...outline].flatMap(({ id, parent }) => (ids.has(id) ? [[id, parent] as const] : [])));
  const others = withImport(list, { ...pages, missing: [], files: [] });
  return { requests, byEdits: others + insertRequests({ parents, files: files.length }) };
}

interface PagesStep extends Pick<NewStep, 'action' | 'needs' | 'linksTo' | 'losses' | 'mend'> {
  readonly pages: PagesMend;
  readonly note: string;
}

/** Expects the space as it stands, unless told otherwise; nothing for a space whose content is not on both sides. */
export function addPagesStep({ list, reader, live }: Mending, space: string, step: PagesStep): void {
  const [container, revision] = [live.one('space', space), reader.one('revision', space)];
  if (!container || !revision) return;
  list.add({
    action: 'update',
    part: 'pages',
    of: revision,
    title: titleOf(container),
    mend: { expects: textAt(container.body, 'revision') ?? null, fields: [] },
    ...requestsFor(list, step.pages, reader.outline('page', space)),
    ...step,
  });
}
