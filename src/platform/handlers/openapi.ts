import { isoTime } from '../../base/index.ts';
import { type BodyOf, type OpenApiSpec, listPage, conflict, invalid } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { processLater } from '../openapi/process-spec.ts';
import { showSpec, showVersion, showVersionContent } from '../show/openapi.ts';
import type { OpenApiSpecRow, OpenApiVersionRow } from '../store/derived-tables.ts';
import { countVersions, findSpec, findVersion, specBySlug, updateSpec, versionRows } from '../store/openapi.ts';
import { deleteRow, rowPage } from '../store/plain-rows.ts';
import { insertBlob } from '../store/blobs.ts';
import { Created, type Handlers } from './types.ts';

type Source = BodyOf<'createOpenApiSpec'>['source'];

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST_SLUG = 100;

/** Where a specification comes from; an address wins over a text beside it. */
function sourceColumns(context: PlatformContext, source: Source) {
  if (typeof source.url === 'string') return { source_url: source.url, source_text: null };
  return { source_url: null, source_text: insertBlob(context, Buffer.from(source.text)) };
}

function insertSpec(
  context: PlatformContext,
  spec: { organization: string; slug: string; source: Source },
): OpenApiSpecRow {
  const { organization, slug } = spec;
  const now = isoTime(context.clock.now());
  const row: OpenApiSpecRow = {
    id: context.random.id(),
    organization,
    slug,
    ...sourceColumns(context, spec.source),
    processing_state: 'pending',
    last_version: null,
    last_processed_at: null,
    last_error: null,
    created_at: now,
    updated_at: now,
  };
  context.db.run(context.db.sql.insertInto('openapi_specs').values(row));
  processLater(context, row.id);
  return row;
}

function versionAt(
  context: PlatformContext,
  path: { organizationId: string; specSlug: string; versionId?: string },
): { spec: OpenApiSpecRow; version: OpenApiVersionRow } {
  const spec = findSpec(context, path.organizationId, path.specSlug);
  return { spec, version: findVersion(context, spec, path.versionId ?? 'latest') };
}

export const openApiHandlers = {
  listOpenApiSpecs: (context, { path, query, caller }) =>
    rowPage<OpenApiSpecRow, OpenApiSpec>(
      context,
      { table: 'openapi_specs', of: ['organization', path.organizationId], query },
      (row) => showSpec(context, row, caller.role),
    ),

  createOpenApiSpec: (context, { path, body, caller }) => {
    const organization = path.organizationId;
    if (specBySlug(context, organization, body.slug)) {
      throw conflict(`An OpenAPI specification named ${body.slug} exists already`);
    }
    return showSpec(context, insertSpec(context, { organization, ...body }), caller.role);
  },

  getOpenApiSpec: (context, { path, caller }) =>
    showSpec(context, findSpec(context, path.organizationId, path.specSlug), caller.role),

  putOpenApiSpec: (context, { path, body, caller }) => {
    const { organizationId: organization, specSlug: slug } = path;
    const row = specBySlug(context, organization, slug);
    if (!row) {
      if (slug.length > LONGEST_SLUG) throw invalid('specSlug', `must not have more than ${LONGEST_SLUG} characters`);
      if (!SLUG.test(slug)) throw invalid('specSlug', `must match ${SLUG.source}`);
      return new Created(
        showSpec(context, insertSpec(context, { organization, slug, source: body.source }), caller.role),
      );
    }
    updateSpec(context, row, { ...sourceColumns(context, body.source), processing_state: 'pending' });
    processLater(context, row.id);
    return showSpec(context, findSpec(context, organization, slug), caller.role);
  },

  deleteOpenApiSpec: (context, { path }) =>
    deleteRow(context, 'openapi_specs', findSpec(context, path.organizationId, path.specSlug).id),

  listOpenApiSpecVersions: (context, { path, query }) => {
    const spec = findSpec(context, path.organizationId, path.specSlug);
    return listPage(
      { list: ['listOpenApiSpecVersions', spec.id], query },
      {
        count: () => countVersions(context, spec.id),
        rows: (after, limit) =>
          versionRows(context, spec.id, { before: Number(after?.[0] ?? Number.MAX_SAFE_INTEGER), limit }),
        key: (row) => [row.seq],
        item: (row) => showVersion(context, spec, row),
      },
    );
  },

  getLatestOpenApiSpecVersion: (context, { path }) => {
    const { spec, version } = versionAt(context, path);
    return showVersion(context, spec, version);
  },

  getLatestOpenApiSpecVersionContent: (context, { path }) =>
    showVersionContent(context, versionAt(context, path).version),

  getOpenApiSpecVersion: (context, { path }) => {
    const { spec, version } = versionAt(context, path);
    return showVersion(context, spec, version);
  },

  getOpenApiSpecVersionContent: (context, { path }) => showVersionContent(context, versionAt(context, path).version),
} satisfies Handlers;
