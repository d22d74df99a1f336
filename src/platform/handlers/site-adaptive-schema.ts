import { type AnswerOf, type BodyOf, invalid, notFound } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import type { SiteRow } from '../store/site-tables.ts';
import { findSite, updateSiteRow } from '../store/sites.ts';
import { laterThan } from '../store/spaces.ts';
import type { Handlers } from './types.ts';

type JsonSchema = NonNullable<BodyOf<'putSiteAdaptiveSchema'>['jsonSchema']>;

const EMPTY: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };
/** The one claim that is an object: claims that nobody signed. */
const UNSIGNED = 'unsigned';

/** The members that the document declares; others are dropped. */
function declared({ $schema, $id, type, properties, additionalProperties }: JsonSchema): JsonSchema {
  return { ...defined({ $schema, $id }), type, properties, additionalProperties };
}

function demandClaims({ properties }: JsonSchema): void {
  for (const [name, { type }] of Object.entries(properties)) {
    const wanted = name === UNSIGNED ? 'object' : 'boolean';
    if (type !== wanted) throw invalid(`jsonSchema/properties/${name}/type`, `must be ${wanted}`);
  }
}

function showSchema(row: SiteRow): AnswerOf<'getSiteAdaptiveSchema'> {
  const jsonSchema = row.adaptive_schema === null ? EMPTY : (JSON.parse(row.adaptive_schema) as JsonSchema);
  const updated = row.adaptive_updated_at === null ? {} : { updatedAt: row.adaptive_updated_at };
  return { object: 'site-adaptive-schema', jsonSchema, ...updated };
}

export const siteAdaptiveSchemaHandlers = {
  getSiteAdaptiveSchema: (context, { path }) => {
    const site = findSite(context, path);
    // A site that adapts without a schema of its own has the empty one.
    if (site.adaptive_schema === null && site.adaptive_enabled !== 1)
      throw notFound('Adaptive schema of site', site.id);
    return showSchema(site);
  },

  putSiteAdaptiveSchema: (context: PlatformContext, { path, body }) => {
    const site = findSite(context, path);
    // The document does not mark the field as required; a PUT without it has nothing to put.
    if (body.jsonSchema === undefined) throw invalid('jsonSchema', 'is required');
    demandClaims(body.jsonSchema);
    updateSiteRow(context, site.id, {
      adaptive_schema: JSON.stringify(declared(body.jsonSchema)),
      adaptive_updated_at: laterThan(context, site.adaptive_updated_at),
    });
    return showSchema(findSite(context, path));
  },
} satisfies Handlers;
