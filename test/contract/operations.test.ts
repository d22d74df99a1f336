import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TSchema } from 'typebox';
import { operationNames, operationOf, pathParameters, type OperationName } from '../../src/contract/index.ts';

interface Documented {
  method: string;
  path: string;
  query: string;
  body: string;
  response: string;
}

const documented = JSON.parse(
  readFileSync(new URL('../fixtures/operations.json', import.meta.url), 'utf8'),
) as Documented[];
const byAddress = new Map(operationNames.map((name) => [addressOf(operationOf(name)), name]));

function addressOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** Pieces of a text between commas and semicolons that stand in no brackets. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let piece = '';
  for (const character of text) {
    if ('({['.includes(character)) depth += 1;
    if (')}]'.includes(character)) depth -= 1;
    if (depth === 0 && (character === ',' || character === ';')) {
      found.push(piece.trim());
      piece = '';
    } else piece += character;
  }
  return [...found, piece.trim()].filter((one) => one !== '');
}

/** What the document's text says of parameters that are left out. */
function defaultsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    pieces(text).flatMap((piece) => {
      const [, name = '', value] = /^(\w+) \((?:.*, )?default (\w+)/s.exec(piece) ?? [];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function declaredDefaults(schema: TSchema | undefined): Record<string, string> {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { default?: unknown }> };
  const told = Object.entries(properties).filter(([, one]) => one.default !== undefined);
  return Object.fromEntries(told.map(([name, one]) => [name, String(one.default)]));
}

interface Field {
  name: string;
  required: boolean;
}

/** The fields that the document's text names; one that carries no mark is optional. */
function fieldsIn(text: string, address: string): Field[] {
  if (text.startsWith('same fields as create')) {
    const create = documented.find((one) => one.method === 'POST' && address.startsWith(`PATCH ${one.path}/`));
    return fieldsIn(create?.body ?? '', address).map(({ name }) => ({ name, required: false }));
  }
  return pieces(text)
    .filter((piece) => !/^(all|last five) O$/.test(piece))
    .map((piece) => {
      const [, name = '', notes = ''] = /^(\w+)\s*(?:\((.*)\))?$/s.exec(piece) ?? [];
      return { name, required: /\bR\b/.test(notes) };
    })
    .toSorted(byName);
}

function byName(a: Field, b: Field): number {
  return a.name.localeCompare(b.name);
}

function declaredFields(schema: TSchema | undefined): Field[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] };
  return Object.keys(properties)
    .map((name) => ({ name, required: required.includes(name) }))
    .toSorted(byName);
}

/** Success statuses: those of the API document, and where it says "body only" those of the public reference platform. */
function statusesOf({ method, path, response }: Documented): number[] {
  const told = /^\d{3}/.exec(response)?.[0];
  if (told) return [Number(told)];
  if (method === 'POST' && /\/(openapi|translations)$/.test(path)) return [201];
  if (method === 'PUT' && path.endsWith('/openapi/{specSlug}')) return [200, 201];
  return [200];
}

const rows = documented.map((one) => ({ ...one, address: addressOf(one), name: byAddress.get(addressOf(one)) }));
const nameOf = (name: OperationName | undefined): OperationName => {
  if (name === undefined) throw new Error('the contract does not have this operation');
  return name;
};

describe('contract/operations', () => {
  it('has exactly the operations of the API document, which stand in test/fixtures/operations.json', () => {
    expect(operationNames).toHaveLength(documented.length);
    expect([...byAddress.keys()].toSorted()).toEqual(rows.map(({ address }) => address).toSorted());
  });

  describe.each(rows)('$address', (row) => {
    it('takes the documented parameters, body and statuses', () => {
      const shape = operationOf(nameOf(row.name));
      expect(declaredFields(shape.query), 'query').toEqual(fieldsIn(row.query, row.address));
      expect(declaredFields(shape.body), 'body').toEqual(fieldsIn(row.body, row.address));
      expect([...shape.success], 'success').toEqual(statusesOf(row));
      expect(shape.statusFromReference ?? false, 'status from reference').toBe(row.response.startsWith('body only'));
    });

    it('has the documented defaults of parameters, so that whoever serves it, and its description, tell the same', () => {
      expect(declaredDefaults(operationOf(nameOf(row.name)).query)).toMatchObject(defaultsIn(row.query));
    });

    it('answers the list envelope exactly when it is paged', () => {
      const shape = operationOf(nameOf(row.name));
      const query = declaredFields(shape.query).map(({ name }) => name);
      expect(shape.paged ?? false).toBe(
        /\blist\b/i.test(row.response) && query.includes('page') && query.includes('limit'),
      );
      if (!shape.paged) return;
      const answer = shape.response as { properties?: object } | undefined;
      expect(Object.keys(answer?.properties ?? {})).toEqual(expect.arrayContaining(['items', 'next']));
    });
  });

  it('answers nothing only where the document shows a bare status', () => {
    const silent = rows.filter(({ name }) => operationOf(nameOf(name)).response === undefined);
    expect(silent.map(({ address }) => address)).toEqual(
      rows.filter(({ response }) => /^\d{3}$/.test(response)).map(({ address }) => address),
    );
  });

  it('names every path parameter once', () => {
    for (const name of operationNames) {
      const parameters = pathParameters(operationOf(name).path);
      expect(new Set(parameters).size, name).toBe(parameters.length);
    }
  });
});
