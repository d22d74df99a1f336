// Pages that the platform computes from an OpenAPI specification. They follow it, while the revision in which they stand stands still.
import type { KindName } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { jsonSql } from '../bodies/stored-json.ts';

/** Slugs of specifications of which a version came or went since a snapshot, by their organization. */
export function specsMovedSince(mirror: Mirror, since: number): Map<string, Set<string>> {
  const sql = `select r.key from versions v cross join resources r on r.rid = v.rid and r.kind = 'openapi-spec-version' where v.valid_from > @since
    union select r.key from versions v cross join resources r on r.rid = v.rid and r.kind = 'openapi-spec-version' where v.valid_to > @since`;
  const moved = new Map<string, Set<string>>();
  for (const { key } of mirror.store.prepare<{ key: string }>(sql).all({ since })) {
    const [organization = '', slug = ''] = key.split('/');
    moved.set(organization, (moved.get(organization) ?? new Set()).add(slug));
  }
  return moved;
}

/** A revision that holds pages of a specification. */
export interface Showing {
  readonly kind: KindName;
  /** Number of the space or change request whose revision it is. */
  readonly scope: number;
}

/** The revisions of an organization that hold pages computed from one of these specifications. Looks at every page of it. */
export function revisionsShowing(mirror: Mirror, organization: string, specs: ReadonlySet<string>): Showing[] {
  const sql = `select distinct q.kind, q.scope from resources o cross join resources s on s.kind = 'space' and s.scope = o.rid
    cross join resources p on p.space = s.key and p.kind in ('page', 'change-request-page')
    cross join versions v on v.rid = p.rid and v.valid_to is null cross join bodies b on b.bid = v.body
    cross join resources q on q.rid = p.scope
    where o.kind = 'organization' and o.key = @organization
    and ${jsonSql('b.data', '$.computed.dependencies.spec.ref.spec')} in (select value from json_each(@specs))`;
  return mirror.store.prepare<Showing>(sql).all({ organization, specs: JSON.stringify([...specs]) });
}
