import { notFound } from '../../contract/index.ts';
import { isoTime } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import type { OpenApiSpecRow, OpenApiVersionRow } from './derived-tables.ts';
import { laterThan } from './spaces.ts';

type Store = Pick<PlatformContext, 'db'>;
type Sequenced<Row> = Row & { seq: number };

/** A specification of the organization; undefined when there is none of this name. */
export function specBySlug(context: Store, organization: string, slug: string): OpenApiSpecRow | undefined {
  return context.db
    .prepare<OpenApiSpecRow>('select * from openapi_specs where organization = ? and slug = ?')
    .get(organization, slug);
}

export function findSpec(context: Store, organization: string, slug: string): OpenApiSpecRow {
  const row = specBySlug(context, organization, slug);
  if (!row) throw notFound('OpenAPI specification', slug);
  return row;
}

export function specById(context: Store, id: string): OpenApiSpecRow | undefined {
  return context.db.prepare<OpenApiSpecRow>('select * from openapi_specs where id = ?').get(id);
}

/** Specifications whose processing was asked for and has not ended; a stopped platform leaves them behind. */
export function unprocessedSpecs(context: Store): string[] {
  const rows = context.db.prepare<{ id: string }>(`select id from openapi_specs where processing_state <> 'complete'`);
  return rows.all().map(({ id }) => id);
}

/** Specifications that are fetched from somewhere. */
export function fetchedSpecs(context: Store): string[] {
  const rows = context.db.prepare<{ id: string }>('select id from openapi_specs where source_url is not null');
  return rows.all().map(({ id }) => id);
}

export function updateSpec(
  context: Pick<PlatformContext, 'db' | 'clock'>,
  row: OpenApiSpecRow,
  fields: Partial<Omit<OpenApiSpecRow, 'id' | 'updated_at'>>,
): void {
  const updated_at = laterThan(context, row.updated_at);
  context.db.run(
    context.db.sql
      .updateTable('openapi_specs')
      .set({ ...fields, updated_at })
      .where('id', '=', row.id),
  );
}

/** A version of the specification by its id; `latest` is the newest. */
export function findVersion(context: Store, spec: OpenApiSpecRow, id: string): OpenApiVersionRow {
  const wanted = id === 'latest' ? spec.last_version : id;
  const row = context.db
    .prepare<OpenApiVersionRow>('select * from openapi_versions where spec = ? and id = ?')
    .get(spec.id, wanted);
  if (!row) throw notFound('Version', id);
  return row;
}

/** Newest first. */
export function versionRows(
  context: Store,
  spec: string,
  page: { before: number; limit: number },
): Sequenced<OpenApiVersionRow>[] {
  return context.db
    .prepare<Sequenced<OpenApiVersionRow>>(
      'select * from openapi_versions where spec = @spec and seq < @before order by seq desc limit @limit',
    )
    .all({ spec, ...page });
}

export function countVersions(context: Store, spec: string): number {
  const row = context.db.prepare<{ n: number }>('select count(*) as n from openapi_versions where spec = ?').get(spec);
  return row?.n ?? 0;
}

export function insertVersion(
  context: Pick<PlatformContext, 'db' | 'clock' | 'random'>,
  version: { spec: string; sha256: string; name: string },
): string {
  const id = context.random.id();
  const created_at = isoTime(context.clock.now());
  context.db.run(context.db.sql.insertInto('openapi_versions').values({ id, ...version, created_at }));
  return id;
}
