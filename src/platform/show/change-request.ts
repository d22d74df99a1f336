import type { ChangeRequest } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import type { CountedChangeRequest } from '../store/change-requests.ts';
import { showUser } from '../store/people.ts';
import { spaceAppUrl } from './containers.ts';

/** The space's revision that the request last took over: what a merge compares with. */
export function ancestorOf(row: CountedChangeRequest): string {
  return row.revision_merged_ancestor ?? row.revision_initial;
}

export function showChangeRequest(
  context: PlatformContext,
  row: CountedChangeRequest,
  spaceRevision: string,
): ChangeRequest {
  return defined({
    object: 'change-request' as const,
    id: row.id,
    number: row.number,
    status: row.status,
    subject: row.subject,
    createdBy: showUser(context, row.created_by),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
    revisionInitial: row.revision_initial,
    revisionMergedAncestor: row.revision_merged_ancestor ?? undefined,
    revisionMerged: row.revision_merged ?? undefined,
    comments: row.comments,
    outdated: row.status !== 'merged' && ancestorOf(row) !== spaceRevision,
    urls: {
      app: `${spaceAppUrl(context, row.space)}/~/changes/${row.number}`,
      location: `${context.url}/v1/spaces/${row.space}/change-requests/${row.id}`,
    },
  });
}
