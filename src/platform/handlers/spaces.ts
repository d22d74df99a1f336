import { isoTime } from '../../base/index.ts';
import type { Role, Space } from '../../contract/index.ts';
import { authorizeTarget } from '../access/authorize.ts';
import { reaches } from '../access/roles.ts';
import { copyTree } from '../content/copy.ts';
import { EMPTY_TREE, type Tree } from '../content/tree.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { conflict, notFound } from '../refusal.ts';
import { showSpace } from '../show/containers.ts';
import { insertRevision, readRevision } from '../store/revisions.ts';
import { endPosition, movedPosition, siblingsAt, type Place } from '../store/siblings.ts';
import { countedSpace, findSpace, findSpaceEvenDeleted, purgeSpaces, updateSpaceRow } from '../store/spaces.ts';
import { positionBetween } from '../position.ts';
import type { SpaceRow } from '../store/tables.ts';
import { checkedParent } from './collections.ts';
import type { Handlers } from './types.ts';

const DEFAULT_EMOJI = '📄';
const TITLE_LENGTH = 50;

interface NewSpace extends Place {
  title: string;
  emoji: string;
  editMode: SpaceRow['edit_mode'];
  defaultLevel: SpaceRow['default_level'];
  position: string;
}

function insertSpace(context: PlatformContext, space: NewSpace): string {
  const id = context.random.id();
  const now = isoTime(context.clock.now());
  context.db.run(
    context.db.sql.insertInto('spaces').values({
      id,
      organization: space.organization,
      parent: space.parent,
      title: space.title,
      emoji: space.emoji,
      visibility: space.parent === null ? 'private' : 'in-collection',
      created_at: now,
      updated_at: now,
      deleted_at: null,
      edit_mode: space.editMode,
      revision: '',
      default_level: space.defaultLevel,
      position: space.position,
    }),
  );
  return id;
}

function setFirstRevision(context: PlatformContext, space: string, tree: Tree): void {
  const revision = insertRevision(context, { space, type: 'edits', parents: [], tree });
  context.db.run(context.db.sql.updateTable('spaces').set({ revision }).where('id', '=', space));
}

function shownAgain(context: PlatformContext, id: string, role: Role | null): Space {
  return showSpace(context, countedSpace(context, id), role);
}

/** Right behind the given space among its siblings. */
function positionAfter(context: PlatformContext, space: SpaceRow): string {
  const siblings = siblingsAt(context, space);
  const next = siblings[siblings.findIndex((sibling) => sibling.id === space.id) + 1];
  return positionBetween(space.position, next?.position ?? null);
}

function duplicate(context: PlatformContext, space: SpaceRow): string {
  const copy = insertSpace(context, {
    organization: space.organization,
    parent: space.parent,
    title: Array.from(`${space.title} (copy)`).slice(0, TITLE_LENGTH).join(''),
    emoji: space.emoji,
    editMode: space.edit_mode,
    defaultLevel: space.default_level,
    position: positionAfter(context, space),
  });
  const { tree } = readRevision(context, space.revision);
  setFirstRevision(context, copy, copyTree(context, tree, { from: space.id, to: copy }));
  return copy;
}

// A space outside of every collection cannot be open to those who can access its collection.
function visibilityAt(space: SpaceRow, parent: string | null): SpaceRow['visibility'] {
  return parent === null && space.visibility === 'in-collection' ? 'private' : space.visibility;
}

export const spaceHandlers: Handlers = {
  createSpace: (context, { path, body, caller }) => {
    const organization = path.organizationId;
    const parent = checkedParent(context, organization, body.parent ?? null);
    const id = insertSpace(context, {
      organization,
      parent,
      title: body.title ?? 'Untitled',
      emoji: body.emoji ?? DEFAULT_EMOJI,
      editMode: body.editMode ?? 'live',
      defaultLevel: 'inherit',
      position: endPosition(context, { organization, parent }),
    });
    setFirstRevision(context, id, EMPTY_TREE);
    return shownAgain(context, id, caller.role);
  },

  getSpace: (context, { path, caller }) => {
    const { deleted_at } = findSpaceEvenDeleted(context, path.spaceId);
    if (deleted_at !== null && !reaches(caller.role, 'admin')) throw notFound('Space', path.spaceId);
    return shownAgain(context, path.spaceId, caller.role);
  },

  updateSpace: (context, { path, body, caller }) => {
    const { id } = findSpace(context, path.spaceId);
    const { title, emoji, editMode, defaultLevel } = body;
    const fields = defined({ title, emoji, edit_mode: editMode, default_level: defaultLevel });
    if (Object.keys(fields).length > 0) updateSpaceRow(context, id, fields);
    return shownAgain(context, id, caller.role);
  },

  deleteSpace: (context, { path }) => {
    const { id } = findSpace(context, path.spaceId);
    purgeSpaces(context);
    updateSpaceRow(context, id, { deleted_at: isoTime(context.clock.now()) });
    return undefined;
  },

  restoreSpace: (context, { path, caller }) => {
    const { id, deleted_at } = findSpaceEvenDeleted(context, path.spaceId);
    if (deleted_at === null) throw conflict('The space is not deleted');
    updateSpaceRow(context, id, { deleted_at: null });
    return shownAgain(context, id, caller.role);
  },

  duplicateSpace: (context, { path, caller }) =>
    shownAgain(context, duplicate(context, findSpace(context, path.spaceId)), caller.role),

  moveSpace: (context, { path, body, caller }) => {
    const row = findSpace(context, path.spaceId);
    const parent = checkedParent(context, row.organization, body.parent === undefined ? row.parent : body.parent);
    const place = { organization: row.organization, parent };
    const position = movedPosition(context, place, { id: row.id, position: body.position });
    updateSpaceRow(context, row.id, { parent, position, visibility: visibilityAt(row, parent) });
    return shownAgain(context, row.id, caller.role);
  },

  transferSpace: (context, { path, body, caller }) => {
    const row = findSpace(context, path.spaceId);
    const { organization } = body;
    if (row.organization === organization) throw conflict('The space is in this organization already');
    authorizeTarget(context, organization, caller.user);
    const place = { organization, parent: null };
    const position = endPosition(context, place);
    updateSpaceRow(context, row.id, { ...place, position, visibility: visibilityAt(row, null) });
    return shownAgain(context, row.id, caller.role);
  },
};
