// What spaces hold: content by import, links once everything stands, values of custom fields.
import type { Resource } from '../../mirror/index.ts';
import { lossesOf, mergeLosses, type Losses } from '../ledger.ts';
import { linksElsewhere } from '../links.ts';
import { titleOf } from '../resource.ts';
import type { Planning } from './step-list.ts';

export function addContent(planning: Planning, space: Resource): void {
  const { list, reader, review } = planning;
  const revision = reader.one('revision', space.key);
  const pages = reader.count('page', space.id);
  if (!revision || pages === 0) return;
  const files = reader.count('file', space.id);
  const note = `${pages} pages and ${files} files by import${review ? ', as a change request to be merged by a person' : ''}`;
  list.add({
    part: 'content',
    of: revision,
    title: titleOf(space),
    note,
    needs: [list.creatorOf('space', space.key)],
    requests: review ? 4 : 2,
    losses: contentLosses(planning, space),
  });
}

/** What does not come back exactly of any page or file of the space, as `page.field`. */
function contentLosses({ reader }: Planning, space: Resource): Losses {
  let all: Losses = { bestEffort: [], lost: [] };
  for (const kind of ['page', 'file'] as const) {
    for (const one of reader.resources(kind, space.id)) {
      const { bestEffort, lost } = lossesOf(one);
      const within = (field: string): string => `${kind}.${field}`;
      all = mergeLosses(all, { bestEffort: bestEffort.map(within), lost: lost.map(within) });
    }
  }
  return reader.count('reusable-content', space.id) === 0
    ? all
    : mergeLosses(all, { bestEffort: [], lost: ['reusable-content'] });
}

export function addLinks({ list, reader }: Planning, space: Resource): void {
  let pages = 0;
  for (const page of reader.resources('page', space.id))
    if (page.text !== null && linksElsewhere(page.text)) pages += 1;
  const revision = reader.one('revision', space.key);
  if (pages === 0 || !revision) return;
  const contents = list.steps.filter((step) => step.part === 'content').map((step) => step.step);
  const note = `soft edge: links of ${pages} pages into other spaces, once those are there`;
  list.add({
    action: 'update',
    part: 'links',
    of: revision,
    title: titleOf(space),
    note,
    needs: [list.creatorOf('revision', space.key), ...contents],
  });
}

/** All values of a space in one write. */
export function addValues({ list, reader, selection }: Planning, space: Resource): void {
  const values = [...reader.resources('custom-field-value', space.key)].filter(
    ({ body }) => body['value'] !== undefined,
  );
  const [first] = values;
  if (!first) return;
  const fields = values.map(({ id }) => list.creatorOf('custom-field', `${selection.organization}/${id}`));
  list.add({
    action: 'update',
    part: 'values',
    of: { ...first, key: space.key },
    title: titleOf(space),
    note: `values of ${values.length} custom fields`,
    needs: [list.creatorOf('space', space.key), ...fields],
  });
}
