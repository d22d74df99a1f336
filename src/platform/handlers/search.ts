import { listPage, type ListRequest } from '../../contract/index.ts';
import { withComputedPages } from '../content/computed-pages.ts';
import type { PlatformContext } from '../context.ts';
import { findSections, groupFound, isAfter, type FoundGroup } from '../search/find.ts';
import { indexStaleSpaces } from '../search/index-space.ts';
import { showFoundPage } from '../show/search.ts';
import { readRevision } from '../store/revisions.ts';
import { findSpace } from '../store/spaces.ts';
import type { SpaceRow } from '../store/tables.ts';
import type { Handlers } from './types.ts';

// One item of an organization's search is a whole space, so its pages cannot be paged.
const MOST_PAGES_OF_SPACE = 20;

function groupPage<Item>(request: ListRequest, groups: FoundGroup[], item: (group: FoundGroup) => Item) {
  return listPage<FoundGroup, Item>(request, {
    count: () => groups.length,
    rows: (after, limit) => groups.filter((group) => isAfter(group, after)).slice(0, limit),
    key: ({ rank, id }) => [rank, id],
    item,
  });
}

function pagesFound(context: PlatformContext, space: SpaceRow, groups: FoundGroup[]) {
  const revision = withComputedPages(context, readRevision(context, space.revision));
  return groups.flatMap((group) => showFoundPage(context, revision, group));
}

export const searchHandlers = {
  searchSpace: (context, { path, query }) => {
    const space = findSpace(context, path.spaceId);
    indexStaleSpaces(context, [space.id]);
    const groups = groupFound(findSections(context, [space.id], query.query), ({ page }) => page);
    const list = groupPage({ list: ['searchSpace', space.id, query.query], query }, groups, (group) =>
      pagesFound(context, space, [group]),
    );
    return { ...list, items: list.items.flat() };
  },

  searchOrganization: (context, { path, query, caller }) => {
    const organization = path.organizationId;
    const spaces = context.db
      .prepare<SpaceRow>('select * from spaces where organization = ? and deleted_at is null')
      .all(organization)
      .filter((space) => caller.content.of(space) !== null);
    const byId = new Map(spaces.map((space) => [space.id, space]));
    indexStaleSpaces(context, [...byId.keys()]);
    const found = groupFound(findSections(context, [...byId.keys()], query.query), ({ space }) => space);
    const list = groupPage({ list: ['searchOrganization', organization, query.query], query }, found, (group) => {
      const space = byId.get(group.id);
      if (!space) return [];
      const pages = groupFound(group.sections, ({ page }) => page).slice(0, MOST_PAGES_OF_SPACE);
      return [{ id: space.id, title: space.title, pages: pagesFound(context, space, pages) }];
    });
    return { ...list, items: list.items.flat() };
  },
} satisfies Handlers;
