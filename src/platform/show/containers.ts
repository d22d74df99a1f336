import type { Collection, Role, Space } from '../../contract/index.ts';
import { collectionPermissions, spacePermissions } from '../access/permissions.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import type { CountedSpace } from '../store/spaces.ts';
import type { CollectionRow } from '../store/tables.ts';

export function showCollection(context: PlatformContext, row: CollectionRow, role: Role | null): Collection {
  return defined({
    object: 'collection' as const,
    id: row.id,
    title: row.title,
    description: row.description ?? undefined,
    organization: row.organization,
    parent: row.parent ?? undefined,
    defaultLevel: row.default_level,
    urls: {
      location: `${context.url}/v1/collections/${row.id}`,
      app: `${context.url}/app/o/${row.organization}/c/${row.id}`,
    },
    permissions: collectionPermissions(role),
  });
}

export function showSpace(context: PlatformContext, row: CountedSpace, role: Role | null): Space {
  return defined({
    object: 'space' as const,
    id: row.id,
    title: row.title,
    emoji: row.emoji,
    visibility: row.visibility,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at ?? undefined,
    editMode: row.edit_mode,
    urls: {
      location: `${context.url}/v1/spaces/${row.id}`,
      app: spaceAppUrl(context, row.id),
    },
    organization: row.organization,
    parent: row.parent ?? undefined,
    revision: row.revision,
    defaultLevel: row.default_level,
    comments: row.comments,
    changeRequests: row.change_requests,
    changeRequestsOpen: row.change_requests_open,
    changeRequestsDraft: row.change_requests_draft,
    permissions: spacePermissions(role),
  });
}

export function spaceAppUrl(context: Pick<PlatformContext, 'url'>, space: string): string {
  return `${context.url}/app/s/${space}`;
}
