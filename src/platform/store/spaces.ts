import { notFound } from '../../contract/index.ts';
import { isoTime, type Clock } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import type { SpaceRow } from './tables.ts';

type Store = Pick<PlatformContext, 'db'>;

/** A space with its counters, which are counted when it is read and so are always right. */
export interface CountedSpace extends SpaceRow {
  seq: number;
  comments: number;
  change_requests: number;
  change_requests_open: number;
  change_requests_draft: number;
}

/** How long a deleted space can be restored. */
const RESTORABLE_MS = 7 * 24 * 3_600_000;

// The select list of every read of spaces; counters come from covering indexes.
const COUNTED = `select s.*,
  (select count(*) from comments c where c.space = s.id and c.change_request is null and c.status = 'open') as comments,
  (select count(*) from change_requests r where r.space = s.id) as change_requests,
  (select count(*) from change_requests r where r.space = s.id and r.status = 'open') as change_requests_open,
  (select count(*) from change_requests r where r.space = s.id and r.status = 'draft') as change_requests_draft
  from spaces s`;

/** A space that is there, deleted or not. */
export function findSpaceEvenDeleted(context: Pick<PlatformContext, 'db' | 'clock'>, id: string): SpaceRow {
  const row = context.db.prepare<SpaceRow>('select * from spaces where id = ?').get(id);
  if (!row || isPurged(row, context.clock)) throw notFound('Space', id);
  return row;
}

/** A space that is not deleted. */
export function findSpace(context: Pick<PlatformContext, 'db' | 'clock'>, id: string): SpaceRow {
  const row = findSpaceEvenDeleted(context, id);
  if (row.deleted_at !== null) throw notFound('Space', id);
  return row;
}

export function countedSpace(context: Store, id: string): CountedSpace {
  const row = context.db.prepare<CountedSpace>(`${COUNTED} where s.id = ?`).get(id);
  if (!row) throw notFound('Space', id);
  return row;
}

/** Spaces directly in a collection, in the order in which people see them; deleted ones are not listed. */
export function spacesInCollection(context: Store, parent: string, page: { after: string; limit: number }) {
  return context.db
    .prepare<CountedSpace>(
      `${COUNTED} where s.organization = (select organization from collections where id = @parent) and s.parent = @parent
       and s.deleted_at is null and s.position > @after order by s.position limit @limit`,
    )
    .all({ parent, ...page });
}

/** Spaces that a site shows, in no order; deleted ones are left out. */
export function spacesOfSite(context: Store, site: string): CountedSpace[] {
  return context.db
    .prepare<CountedSpace>(
      `${COUNTED} where s.id in (select space from site_spaces where site = ?) and s.deleted_at is null`,
    )
    .all(site);
}

/** Spaces of an organization by age; deleted ones are not listed. */
export function spacesOfOrganization(
  context: Store,
  organization: string,
  page: { after: number | null; limit: number; order: 'asc' | 'desc' },
): CountedSpace[] {
  const [compare, start] = page.order === 'asc' ? ['>', 0] : ['<', Number.MAX_SAFE_INTEGER];
  return context.db
    .prepare<CountedSpace>(
      `${COUNTED} where s.organization = ? and s.deleted_at is null and s.seq ${compare} ?
       order by s.seq ${page.order} limit ?`,
    )
    .all(organization, page.after ?? start, page.limit);
}

/** Writes fields of a space and moves its `updatedAt`. */
export function updateSpaceRow(
  context: Pick<PlatformContext, 'db' | 'clock'>,
  id: string,
  fields: Partial<Omit<SpaceRow, 'id' | 'updated_at'>>,
): void {
  const before = context.db.prepare<{ updated_at: string }>('select updated_at from spaces where id = ?').get(id);
  const updated_at = laterThan(context, before?.updated_at);
  context.db.run(
    context.db.sql
      .updateTable('spaces')
      .set({ ...fields, updated_at })
      .where('id', '=', id),
  );
}

/** The present, or the first instant after an earlier change: every change moves a timestamp, however fast they come. */
export function laterThan(context: Pick<PlatformContext, 'clock'>, previous: string | null | undefined): string {
  const now = isoTime(context.clock.now());
  if (previous === null || previous === undefined || now > previous) return now;
  return isoTime(Date.parse(previous) + 1);
}

function isPurged(row: SpaceRow, clock: Clock): boolean {
  return row.deleted_at !== null && Date.parse(row.deleted_at) + RESTORABLE_MS <= clock.now();
}

/** Removes for good what was deleted more than seven days ago; before each write, and in time. To a read, such spaces are gone anyway. */
export function purgeSpaces(context: Pick<PlatformContext, 'db' | 'clock'>): void {
  const before = isoTime(context.clock.now() - RESTORABLE_MS);
  context.db.run(
    context.db.sql.deleteFrom('spaces').where('deleted_at', 'is not', null).where('deleted_at', '<=', before),
  );
}
