import type { AnswerOf, OpenApiSpec, OpenApiSpecVersion, Role } from '../../contract/index.ts';
import { reaches } from '../access/roles.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { parseSpec } from '../openapi/read-spec.ts';
import type { OpenApiSpecRow, OpenApiVersionRow } from '../store/derived-tables.ts';
import { readBlob } from '../store/blobs.ts';

export function showSpec(context: PlatformContext, row: OpenApiSpecRow, role: Role | null): OpenApiSpec {
  return defined({
    object: 'openapi-spec' as const,
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    slug: row.slug,
    sourceURL: row.source_url ?? undefined,
    processingState: row.processing_state,
    lastVersion: row.last_version ?? undefined,
    lastProcessedAt: row.last_processed_at ?? undefined,
    lastProcessErrorCode: row.last_error ?? undefined,
    permissions: { view: true, edit: reaches(role, 'create') },
    urls: { location: specLocation(context, row), app: `${context.url}/app/o/${row.organization}/openapi/${row.slug}` },
  });
}

export function showVersion(
  context: PlatformContext,
  spec: OpenApiSpecRow,
  row: OpenApiVersionRow,
): OpenApiSpecVersion {
  const location = `${specLocation(context, spec)}/versions/${row.id}`;
  return {
    object: 'openapi-spec-version' as const,
    id: row.id,
    createdAt: row.created_at,
    // An address that stays the same; the one that it answers with expires.
    url: `${location}/content`,
    urls: { location },
  };
}

export function showVersionContent(
  context: PlatformContext,
  row: OpenApiVersionRow,
): AnswerOf<'getOpenApiSpecVersionContent'> {
  const specification = parseSpec(readBlob(context, row.sha256)?.toString('utf8') ?? '');
  const contentType = row.name.endsWith('.json') ? 'application/json' : 'application/yaml';
  return {
    filesystem: { [row.name]: { isEntrypoint: true, specification } },
    url: context.signer.address({ sha256: row.sha256, name: row.name, contentType }),
  };
}

function specLocation(context: PlatformContext, row: OpenApiSpecRow): string {
  return `${context.url}/v1/orgs/${row.organization}/openapi/${row.slug}`;
}
