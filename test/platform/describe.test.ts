import { describe, expect, it } from 'vitest';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Value } from 'typebox/value';
import { anyOperationNames, operationNames, operationOf } from '../../src/contract/index.ts';
import { exampleOf } from '../../src/platform/describe/example.ts';
import { openApiDocument } from '../../src/platform/describe/openapi.ts';
import { createWorld } from './world.ts';

const document = openApiDocument('http://127.0.0.1:8700');
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => (key === '$ref' ? [String(one)] : referencesIn(one)));
}

describe('platform/describe/openapi', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('has every operation of the contract with its method, path, parameters, body and success status', () => {
    expect(described.map(({ operation }) => operation.operationId).toSorted()).toEqual(anyOperationNames.toSorted());
    for (const { path, method, operation } of described) {
      const shape = operationOf(operation.operationId);
      expect([path, method.toUpperCase()]).toEqual([shape.path, shape.method]);
      const query = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
      expect(query).toEqual(Object.keys(shape.query?.properties ?? {}));
      expect(operation.requestBody !== undefined).toBe(shape.body !== undefined);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(shape.success.map(String)));
    }
  });

  it('tells what stands for a parameter that is left out: a client made from it did not know that only open change requests are listed', async () => {
    const { operation } = described.find((one) => one.operation.operationId === 'listChangeRequests') ?? {};
    const status = operation?.parameters?.find(({ name }) => name === 'status');
    expect(status).toMatchObject({ required: false, schema: { default: 'open' } });
    await using world = await createWorld();
    const page = await (await fetch(`${world.platform.url}/`)).text();
    expect(page).toContain('<span class="soft">default</span> <code>open</code>');
  });

  it('marks what the API document does not have', () => {
    const marked = described
      .filter(({ operation }) => operation['x-extension'])
      .map(({ operation }) => operation.operationId);
    const documented: readonly string[] = operationNames;
    expect(marked.toSorted()).toEqual(anyOperationNames.filter((name) => !documented.includes(name)).toSorted());
  });

  it('names resources once, and refers to nothing that is not there', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(
      expect.arrayContaining(['Space', 'Page', 'Comment', 'ChangeRequest', 'OpenAPISpec', 'User', 'Error']),
    );
    for (const reference of referencesIn(document)) {
      const [part = '', name = ''] = reference.replace('#/components/', '').split('/');
      expect(Object.keys(document.components[part] ?? {}), reference).toContain(name);
    }
  });
});

describe('platform/describe/reference-page', () => {
  it('shows every operation and resource, and loads nothing from elsewhere', async () => {
    await using world = await createWorld();
    const response = await fetch(`${world.platform.url}/`);
    expect(response.headers.get('content-type')).toMatch(/html/);
    const page = await response.text();
    for (const name of [...anyOperationNames, ...Object.keys(document.components.schemas)]) {
      expect(page).toContain(`id="${name}">`);
    }
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(/);
    expect(page).toContain('name="viewport"');
    expect(page).toContain('prefers-color-scheme: dark');
  });

  it('answers the document without a token, and counts neither', async () => {
    await using world = await createWorld();
    const answered = (await (await fetch(`${world.platform.url}/openapi.json`)).json()) as typeof document;
    expect(answered['servers']).toEqual([{ url: world.platform.url }]);
    expect(answered.paths).toEqual(JSON.parse(JSON.stringify(document.paths)));
    expect(world.platform.requestLog.total()).toBe(0);
  });

  it('gives examples whose body the contract allows', () => {
    for (const { operation } of described) {
      const { body } = operationOf(operation.operationId);
      if (!body) continue;
      const schema = operation.requestBody?.content['application/json'].schema;
      const example = exampleOf(schema, document.components.schemas);
      expect(
        [...Value.Errors(body, example)].map((error) => error.message),
        operation.operationId,
      ).toEqual([]);
    }
  });
});
