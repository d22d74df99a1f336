// The platform as an OpenAPI 3.1 document, made from the contract.
import { isRecord } from '../../base/index.ts';
import {
  anyOperationNames,
  operationNames,
  operationOf,
  pathParameters,
  type AnyOperationName,
  type OperationShape,
} from '../../contract/index.ts';
import { nameComponents, type Components, type Schema } from './components.ts';

export interface OpenApiOperation {
  readonly operationId: AnyOperationName;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly 'x-extension'?: true;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: unknown;
}

type Content = Readonly<Record<'application/json', { readonly schema: unknown }>>;

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly [part: string]: unknown };
  readonly [part: string]: unknown;
}

const ABOUT = `Every operation of the documentation platform as the embedded platform offers it. Operations marked
\`x-extension\` are not in the API document; the public reference platform has them. Every response carries
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds since the epoch).`;

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'A field is missing or out of bounds; the message names it.',
  401: 'No valid access token.',
  403: 'The caller lacks the right.',
  404: 'It does not exist, or the caller must not see it.',
  409: 'It would change nothing, or contradicts what is there.',
  412: 'Not possible in the present state.',
  429: 'Too many requests.',
};

/** The document, with the given base address as its server. */
export function openApiDocument(url: string): OpenApiDocument {
  const shapes = anyOperationNames.map((name) => [name, operationOf(name)] as const);
  const components = nameComponents(shapes.flatMap(([, { response, body }]) => [response, body].filter(isRecord)));
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [name, shape] of shapes) {
    (paths[shape.path] ??= {})[shape.method.toLowerCase()] = describeOperation(name, shape, components);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Documentation platform (embedded)', version: '1', description: ABOUT.replaceAll('\n', ' ') },
    servers: [{ url }],
    security: [{ token: [] }],
    tags: [...new Set(shapes.map(([, { section }]) => section))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, about]) => [`Refused${status}`, refusal(about)]),
      ),
      schemas: { ...components.schemas, Error: ERROR },
    },
  };
}

const ERROR: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
  },
};

function refusal(description: string): object {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}

const documented: ReadonlySet<string> = new Set(operationNames);

function describeOperation(name: AnyOperationName, shape: OperationShape, components: Components): OpenApiOperation {
  const parameters = [...pathParametersOf(shape), ...queryParametersOf(shape, components)];
  return {
    operationId: name,
    summary: summaryOf(name),
    tags: [shape.section],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(shape.body ? { requestBody: bodyOf(shape, components) } : {}),
    responses: responsesOf(shape, components),
    ...(documented.has(name) ? {} : { 'x-extension': true as const }),
  };
}

function pathParametersOf({ path }: OperationShape): Parameter[] {
  return pathParameters(path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParametersOf({ query }: OperationShape, components: Components): Parameter[] {
  if (!query) return [];
  const required = new Set<string>(query.required ?? []);
  return Object.entries(query.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema: components.shorten(schema),
  }));
}

function bodyOf(shape: OperationShape, components: Components): { required: boolean; content: Content } {
  const fields: unknown = isRecord(shape.body) ? shape.body['required'] : undefined;
  const required = !shape.bodyOptional && Array.isArray(fields) && fields.length > 0;
  return { required, content: { 'application/json': { schema: components.shorten(shape.body) } } };
}

function responsesOf(shape: OperationShape, components: Components): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const status of shape.success) {
    responses[status] = shape.response
      ? { description: 'Done.', content: { 'application/json': { schema: components.shorten(shape.response) } } }
      : { description: 'Done; there is no body.' };
  }
  const isRead = shape.method === 'GET';
  for (const status of Object.keys(REFUSALS).map(Number)) {
    const isMeant =
      status === 400
        ? shape.query !== undefined || shape.body !== undefined
        : !isRead || (status !== 409 && status !== 412);
    if (isMeant) responses[status] = { $ref: `#/components/responses/Refused${status}` };
  }
  return responses;
}

/** `listChangeRequests` as words: "List change requests". */
function summaryOf(name: string): string {
  const words = name.replaceAll(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
  const spelt = words.replaceAll(/\b(?:open api|saml|sso|pdf)\b/g, (word) =>
    word === 'open api' ? 'OpenAPI' : word.toUpperCase(),
  );
  return spelt.charAt(0).toUpperCase() + spelt.slice(1);
}
