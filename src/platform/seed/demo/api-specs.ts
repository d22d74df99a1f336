// An OpenAPI specification with two versions, from which a page of the welcome space is computed.
import type { Seeding } from '../import-archive.ts';
import type { SeedTarget } from '../target.ts';

/** The specification that a page of the demo is computed from. */
export const TOOLBOX_API = 'toolbox-api';

/** Makes the specification with its versions and resolves when it is processed. */
export async function addSpecs(platform: SeedTarget, { caller, organization }: Seeding): Promise<void> {
  const path = { organizationId: organization, specSlug: TOOLBOX_API };
  for (const text of [toolboxSpec('1.0.0', []), toolboxSpec('1.1.0', ['deprecated'])]) {
    await caller.call('putOpenApiSpec', { path, body: { source: { text } } });
    await platform.settle();
  }
}

/** What an API for the installed packages would look like; `fields` are further properties of a package. */
function toolboxSpec(version: string, fields: readonly string[]): string {
  const name = {
    name: 'name',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: 'Name of the package',
  };
  const found = (schema: object) => ({ description: 'Found', content: { 'application/json': { schema } } });
  const one = { $ref: '#/components/schemas/Package' };
  const more = Object.fromEntries(fields.map((field) => [field, { type: 'boolean' }]));
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Toolbox API', version, description: 'Which packages this documentation is about.' },
    servers: [{ url: 'https://toolbox.example.com/v1' }],
    tags: [{ name: 'Packages' }, { name: 'Releases' }],
    paths: {
      '/packages': {
        get: {
          tags: ['Packages'],
          summary: 'List packages',
          responses: { '200': found({ type: 'array', items: one }) },
        },
      },
      '/packages/{name}': {
        get: { tags: ['Packages'], summary: 'One package', parameters: [name], responses: { '200': found(one) } },
      },
      '/packages/{name}/releases': {
        get: {
          tags: ['Releases'],
          summary: 'Releases of a package, newest first',
          parameters: [name],
          responses: { '200': found({ type: 'array', items: { type: 'string' } }) },
        },
      },
    },
    components: {
      schemas: {
        Package: { type: 'object', properties: { name: { type: 'string' }, version: { type: 'string' }, ...more } },
      },
    },
  };
  return JSON.stringify(spec, null, 2);
}
