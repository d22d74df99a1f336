import { notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { laterThan, updateSpaceRow } from './spaces.ts';
import type { ChangeRequestRow, ChangeRequestStatus } from './tables.ts';

/** With its count of open comments, taken when it is read. */
export interface CountedChangeRequest extends ChangeRequestRow {
  seq: number;
  comments: number;
}

const COUNTED = `select r.*, (select count(*) from comments c
  where c.space = r.space and c.change_request = r.id and c.status = 'open') as comments from change_requests r`;

/** A change request of the space by its id or its number. */
export function findChangeRequest(
  context: Pick<PlatformContext, 'db'>,
  space: string,
  key: string,
): CountedChangeRequest {
  const byId = context.db.prepare<CountedChangeRequest>(`${COUNTED} where r.id = ? and r.space = ?`).get(key, space);
  if (byId) return byId;
  const byNumber = /^\d{1,9}$/.test(key)
    ? context.db.prepare<CountedChangeRequest>(`${COUNTED} where r.space = ? and r.number = ?`).get(space, Number(key))
    : undefined;
  if (!byNumber) throw notFound('Change request', key);
  return byNumber;
}

export interface ChangeRequestFilter {
  space: string;
  status: ChangeRequestStatus;
  /** A user's id; null for everybody. */
  contributor: string | null;
}

/** Newest first. */
export function changeRequestRows(
  context: Pick<PlatformContext, 'db'>,
  filter: ChangeRequestFilter,
  page: { before: number; limit: number },
): CountedChangeRequest[] {
  return context.db
    .prepare<CountedChangeRequest>(
      `${COUNTED} where r.space = @space and r.status = @status and (@contributor is null or r.created_by = @contributor)
       and r.seq < @before order by r.seq desc limit @limit`,
    )
    .all({ ...filter, ...page });
}

export function countChangeRequests(context: Pick<PlatformContext, 'db'>, filter: ChangeRequestFilter): number {
  const row = context.db
    .prepare<{ n: number }>(
      `select count(*) as n from change_requests where space = @space and status = @status
       and (@contributor is null or created_by = @contributor)`,
    )
    .get({ ...filter });
  return row?.n ?? 0;
}

/** Writes fields of a change request and moves its and its space's `updatedAt`. */
export function updateChangeRequestRow(
  context: Pick<PlatformContext, 'db' | 'clock'>,
  row: ChangeRequestRow,
  fields: Partial<Omit<ChangeRequestRow, 'id' | 'space' | 'updated_at'>>,
): void {
  context.db.run(
    context.db.sql
      .updateTable('change_requests')
      .set({ ...fields, updated_at: laterThan(context, row.updated_at) })
      .where('id', '=', row.id),
  );
  updateSpaceRow(context, row.space, {});
}

export function nextNumber(context: Pick<PlatformContext, 'db'>, space: string): number {
  const row = context.db
    .prepare<{ n: number | null }>('select max(number) as n from change_requests where space = ?')
    .get(space);
  return (row?.n ?? 0) + 1;
}
