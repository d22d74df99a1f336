// New revisions: of a space's main content, and of a change request's own line.
import { conflict, forbidden, isSettled } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { indexSpace } from '../search/index-space.ts';
import { updateChangeRequestRow } from '../store/change-requests.ts';
import { insertRevision } from '../store/revisions.ts';
import { updateSpaceRow } from '../store/spaces.ts';
import type { ChangeRequestRow, RevisionType, SpaceRow } from '../store/tables.ts';
import type { Tree } from './tree.ts';

export interface Commit {
  tree: Tree;
  type: RevisionType;
  /** Revisions besides the present one that it was made from. */
  from?: readonly string[];
}

/** Makes the tree the space's active revision and answers its id. */
export function commitToSpace(context: PlatformContext, space: SpaceRow, commit: Commit): string {
  const revision = insertRevision(context, {
    space: space.id,
    type: commit.type,
    parents: [space.revision, ...(commit.from ?? [])],
    tree: commit.tree,
  });
  updateSpaceRow(context, space.id, { revision });
  if (!context.indexesLate) indexSpace(context, space.id, revision);
  return revision;
}

/** Makes the tree the change request's active revision and answers its id. */
export function commitToRequest(
  context: PlatformContext,
  request: ChangeRequestRow,
  commit: Commit & { mergedAncestor?: string },
): string {
  const revision = insertRevision(context, {
    space: request.space,
    type: commit.type,
    parents: [request.revision, ...(commit.from ?? [])],
    tree: commit.tree,
  });
  const ancestor = commit.mergedAncestor === undefined ? {} : { revision_merged_ancestor: commit.mergedAncestor };
  updateChangeRequestRow(context, request, { revision, ...ancestor });
  return revision;
}

export function demandUnlocked(space: SpaceRow): void {
  if (space.edit_mode === 'locked') {
    throw forbidden('The space is locked (editMode); edit it through a change request');
  }
}

export function demandEditable(request: ChangeRequestRow): void {
  if (isSettled(request.status)) {
    throw conflict(`The change request is ${request.status}; only a draft or open one can be changed`);
  }
}
