// Collections and spaces.
import { groupBy } from '../../base/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { inOrder, spacesInOrder, textAt } from '../resource.ts';
import type { Planning } from './step-list.ts';

/** Selected spaces of the organization, in the order of their keys. */
export function selectedSpaces({ reader, selection }: Planning): Resource[] {
  return [...reader.resources('space')].filter((space) => selection.has('space', space.key));
}

/** Parents before children; siblings in the order in which they stood, as far as the mirror knows it. */
export function addCollections(planning: Pick<Planning, 'list' | 'reader' | 'selection'>): void {
  const { list, reader, selection } = planning;
  const all = inOrder(reader.resources('collection')).filter((one) => selection.has('collection', one.key));
  const parents = new Map(all.map((one) => [one.id, textAt(one.body, 'parent')]));
  const inside = insideThemselves(parents);
  const parentOf = ({ id }: Resource): string | undefined => {
    const parent = parents.get(id);
    return parent !== undefined && parents.has(parent) && !inside.has(id) ? parent : undefined;
  };
  const below = groupBy(all, parentOf);
  const orders = new Map(all.map((one, order) => [one.id, order]));
  const orderOf = ({ id }: Resource): number => orders.get(id) ?? 0;
  for (let level: (string | undefined)[] = [undefined]; level.length > 0;) {
    const here = level
      .flatMap((parent) => below.get(parent) ?? [])
      .filter((one) => list.creatorOf('collection', one.key) === undefined)
      .toSorted((a, b) => orderOf(a) - orderOf(b));
    for (const one of here) addCollection(planning, one, parentOf(one));
    level = here.map((one) => one.id);
  }
}

/** Collections that are said to stand inside themselves, by way of others: they come back at the root. */
function insideThemselves(parents: ReadonlyMap<string, string | undefined>): Set<string> {
  const inside = new Set<string>();
  const looked = new Set<string>();
  for (const id of parents.keys()) {
    const path = new Map<string, number>();
    let at: string | undefined = id;
    for (; at !== undefined && !looked.has(at); at = parents.get(at)) {
      looked.add(at);
      path.set(at, path.size);
    }
    const from = at === undefined ? undefined : path.get(at);
    if (from !== undefined) for (const one of [...path.keys()].slice(from)) inside.add(one);
  }
  return inside;
}

function addCollection({ list }: Pick<Planning, 'list'>, one: Resource, parent: string | undefined): void {
  const above = parent === undefined ? undefined : list.creatorOf('collection', parent);
  const created = list.add({ part: 'create', of: one, needs: [above] });
  const { description, defaultLevel } = one.body;
  if (description === undefined && defaultLevel === undefined) return;
  list.add({ part: 'settings', of: one, note: 'description and default level', needs: [created] });
}

export function addSpaces({ list }: Pick<Planning, 'list'>, spaces: readonly Resource[]): void {
  const note = 'by the create operation, if there is one';
  for (const space of spacesInOrder(spaces)) {
    const parent = textAt(space.body, 'parent');
    const needs = [parent === undefined ? undefined : list.creatorOf('collection', parent)];
    const isFirst = list.spacesMade.size === 0;
    // It is made, and once all is written it is asked for: when it was last changed tells an undo whether somebody did since. The first
    // one tells whether the platform puts pages of its own into each.
    list.add({ part: 'create', of: space, note, needs, requests: isFirst ? 3 : 2 });
  }
}

/** After the content: a locked space takes no import. Discussions may fail without holding it back. */
export function addSpaceSettings({ list }: Pick<Planning, 'list'>, space: Resource): void {
  const { editMode, defaultLevel } = space.body;
  if (editMode === undefined && defaultLevel === undefined) return;
  list.add({
    part: 'settings',
    of: space,
    note: 'edit mode and default level',
    needs: [list.creatorOf('space', space.key), ...list.ofContent(space.key).map(({ step }) => step)],
  });
}
