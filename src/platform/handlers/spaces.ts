import { isoTime } from '../../base/index.ts';
import { type Space, conflict, notFound } from '../../contract/index.ts';
import { authorizeTarget, type Caller } from '../access/authorize.ts';
import { keepOwnRole } from '../access/own-role.ts';
import { demandPlace } from '../access/placement.ts';
import { reaches } from '../access/roles.ts';
import { copyTree } from '../content/copy.ts';
import { insertSpace, spaceTitle } from '../content/new-space.ts';
import { EMPTY_TREE } from '../content/tree.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { showSpace } from '../show/containers.ts';
import { publishedSpaceUrl } from '../show/sites.ts';
import { copyFieldValues } from '../store/field-values.ts';
import { copyGrants } from '../store/grants.ts';
import { readRevision } from '../store/revisions.ts';
import { endPosition, movedPosition, positionBehind } from '../store/siblings.ts';
import { countedSpace, findSpace, findSpaceEvenDeleted, updateSpaceRow } from '../store/spaces.ts';
import type { SpaceRow } from '../store/tables.ts';
import type { Handlers } from './types.ts';

function shownAgain(context: PlatformContext, id: string, caller: Caller): Space {
  const row = countedSpace(context, id);
  return showSpace(context, row, caller.content.of(row));
}

function duplicate(context: PlatformContext, space: SpaceRow): string {
  const copied = {
    organization: space.organization,
    parent: space.parent,
    title: spaceTitle(`${space.title} (copy)`),
    emoji: space.emoji,
    editMode: space.edit_mode,
    defaultLevel: space.default_level,
    visibility: space.visibility,
    position: positionBehind(context, space),
  };
  const { tree } = readRevision(context, space.revision);
  const copy = insertSpace(context, copied, (to) => copyTree(context, tree, { from: space.id, to }));
  copyGrants(context, { from: space.id, to: copy });
  copyFieldValues(context, { from: space.id, to: copy });
  return copy;
}

// A space outside of every collection cannot be open to those who can access its collection.
function visibilityAt(space: SpaceRow, parent: string | null): SpaceRow['visibility'] {
  return parent === null && space.visibility === 'in-collection' ? 'private' : space.visibility;
}

export const spaceHandlers = {
  createSpace: (context, { path, body, caller }) => {
    const organization = path.organizationId;
    const parent = demandPlace(context, caller, { organization, parent: body.parent ?? null });
    const { title, emoji, editMode } = body;
    const id = insertSpace(context, { organization, parent, title, emoji, editMode }, () => EMPTY_TREE);
    return shownAgain(context, id, caller);
  },

  getSpace: (context, { path, query, caller }) => {
    const { deleted_at } = findSpaceEvenDeleted(context, path.spaceId);
    if (deleted_at !== null && !reaches(caller.role, 'admin')) throw notFound('Space', path.spaceId);
    const space = shownAgain(context, path.spaceId, caller);
    if (query.shareKey === undefined) return space;
    const published = publishedSpaceUrl(context, { space: space.id, shareKey: query.shareKey, caller });
    return { ...space, urls: { ...space.urls, ...defined({ published }) } };
  },

  updateSpace: (context, { path, body, caller }) => {
    const { id } = findSpace(context, path.spaceId);
    const { title, emoji, editMode, defaultLevel } = body;
    const fields = defined({ title, emoji, edit_mode: editMode, default_level: defaultLevel });
    if (Object.keys(fields).length > 0) updateSpaceRow(context, id, fields);
    return shownAgain(context, id, keepOwnRole(context, caller, findSpace(context, id)));
  },

  deleteSpace: (context, { path }) => {
    const { id } = findSpace(context, path.spaceId);
    updateSpaceRow(context, id, { deleted_at: isoTime(context.clock.now()) });
    return undefined;
  },

  restoreSpace: (context, { path, caller }) => {
    const { id, deleted_at } = findSpaceEvenDeleted(context, path.spaceId);
    if (deleted_at === null) throw conflict('The space is not deleted');
    updateSpaceRow(context, id, { deleted_at: null });
    return shownAgain(context, id, caller);
  },

  duplicateSpace: (context, { path, caller }) => {
    const row = findSpace(context, path.spaceId);
    demandPlace(context, caller, row);
    const copy = duplicate(context, row);
    return shownAgain(context, copy, keepOwnRole(context, caller, findSpace(context, copy)));
  },

  moveSpace: (context, { path, body, caller }) => {
    const row = findSpace(context, path.spaceId);
    const { organization } = row;
    const parent = demandPlace(context, caller, {
      organization,
      parent: body.parent === undefined ? row.parent : body.parent,
    });
    const place = { organization, parent };
    const position = movedPosition(context, place, { id: row.id, position: body.position });
    updateSpaceRow(context, row.id, { parent, position, visibility: visibilityAt(row, parent) });
    return shownAgain(context, row.id, keepOwnRole(context, caller, findSpace(context, row.id)));
  },

  transferSpace: (context, { path, body, caller }) => {
    const row = findSpace(context, path.spaceId);
    const { organization } = body;
    if (row.organization === organization) throw conflict('The space is in this organization already');
    const there = authorizeTarget(context, organization, caller.user);
    const place = { organization, parent: null };
    const position = endPosition(context, place);
    updateSpaceRow(context, row.id, { ...place, position, visibility: visibilityAt(row, null) });
    return shownAgain(context, row.id, keepOwnRole(context, there, findSpace(context, row.id)));
  },
} satisfies Handlers;
