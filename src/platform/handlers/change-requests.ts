import { isoTime } from '../../base/index.ts';
import { type ChangeRequest, listPage, conflict } from '../../contract/index.ts';
import { authorize } from '../access/authorize.ts';
import { applyChanges } from '../content/changes.ts';
import { commitToRequest, commitToSpace, demandEditable } from '../content/commit.ts';
import { readInsertedFiles } from '../content/inserted-files.ts';
import { mergeStored } from '../content/join-texts.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { ancestorOf, showChangeRequest } from '../show/change-request.ts';
import {
  changeRequestRows,
  countChangeRequests,
  findChangeRequest,
  nextNumber,
  updateChangeRequestRow,
} from '../store/change-requests.ts';
import { readRevision } from '../store/revisions.ts';
import { findSpace, updateSpaceRow } from '../store/spaces.ts';
import type { SpaceRow } from '../store/tables.ts';
import type { Handlers, LongHandlers } from './types.ts';

interface RequestPath {
  spaceId: string;
  changeRequestId: string;
}

function located(context: PlatformContext, path: RequestPath) {
  const space = findSpace(context, path.spaceId);
  return { space, request: findChangeRequest(context, space.id, path.changeRequestId) };
}

function shownAgain(context: PlatformContext, path: RequestPath): ChangeRequest {
  const { space, request } = located(context, path);
  return showChangeRequest(context, request, space.revision);
}

function insertChangeRequest(
  context: PlatformContext,
  space: SpaceRow,
  draft: { subject: string; user: string },
): string {
  const id = context.random.id();
  const now = isoTime(context.clock.now());
  context.db.run(
    context.db.sql.insertInto('change_requests').values({
      id,
      space: space.id,
      number: nextNumber(context, space.id),
      status: 'draft',
      subject: draft.subject,
      created_by: draft.user,
      created_at: now,
      updated_at: now,
      revision: space.revision,
      revision_initial: space.revision,
      revision_merged_ancestor: null,
      revision_merged: null,
    }),
  );
  updateSpaceRow(context, space.id, {});
  return id;
}

export const changeRequestHandlers = {
  listChangeRequests: (context, { path, query }) => {
    const space = findSpace(context, path.spaceId);
    const { status } = query;
    const filter = { space: space.id, status, contributor: query.contributor ?? null };
    return listPage(
      { list: ['listChangeRequests', space.id, status], query },
      {
        count: () => countChangeRequests(context, filter),
        rows: (after, limit) =>
          changeRequestRows(context, filter, { before: Number(after?.[0] ?? Number.MAX_SAFE_INTEGER), limit }),
        key: (row) => [row.seq],
        item: (row) => showChangeRequest(context, row, space.revision),
      },
    );
  },

  createChangeRequest: (context, { path, body, caller }) => {
    const space = findSpace(context, path.spaceId);
    const changeRequestId = insertChangeRequest(context, space, { subject: body.subject ?? '', user: caller.user });
    return shownAgain(context, { ...path, changeRequestId });
  },

  getChangeRequest: (context, { path }) => shownAgain(context, path),

  updateChangeRequest: (context, { path, body }) => {
    const { request } = located(context, path);
    if (body.status !== undefined && request.status === 'merged') {
      throw conflict('The change request is merged; its status cannot change any more');
    }
    const { subject, status } = body;
    const fields = defined({ subject, status });
    if (Object.keys(fields).length > 0) updateChangeRequestRow(context, request, fields);
    return shownAgain(context, path);
  },

  mergeChangeRequest: (context, { path }) => {
    const { space, request } = located(context, path);
    demandEditable(request);
    const merged = mergeStored(context, {
      base: readRevision(context, ancestorOf(request)).tree,
      into: readRevision(context, space.revision).tree,
      from: readRevision(context, request.revision).tree,
    });
    const revision = commitToSpace(context, space, { tree: merged.tree, type: 'merge', from: [request.revision] });
    updateChangeRequestRow(context, request, { status: 'merged', revision_merged: revision });
    return { revision, result: merged.conflicts ? ('conflicts' as const) : ('merge' as const) };
  },

  pullIntoChangeRequest: (context, { path }) => {
    const { space, request } = located(context, path);
    demandEditable(request);
    const merged = mergeStored(context, {
      base: readRevision(context, ancestorOf(request)).tree,
      into: readRevision(context, request.revision).tree,
      from: readRevision(context, space.revision).tree,
    });
    const revision = commitToRequest(context, request, {
      tree: merged.tree,
      type: 'update',
      from: [space.revision],
      mergedAncestor: space.revision,
    });
    return { revision, result: merged.conflicts ? ('conflicts' as const) : ('update' as const) };
  },
} satisfies Handlers;

export const changeRequestLongHandlers = {
  changeContent: async (context, { path, body, caller }) => {
    demandEditable(located(context, path).request);
    const files = await readInsertedFiles(context, body.changes);
    const now = isoTime(context.clock.now());
    return context.db.transaction(() => {
      authorize(context, { name: 'changeContent', path, user: caller.user });
      const { request } = located(context, path);
      demandEditable(request);
      const { tree } = readRevision(context, request.revision);
      const changed = applyChanges(context, tree, { changes: body.changes, files, now });
      commitToRequest(context, request, { tree: changed, type: 'edits' });
      return { changeRequest: shownAgain(context, path) };
    });
  },
} satisfies LongHandlers;
