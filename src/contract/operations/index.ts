import type { Static, TProperties, TSchema } from 'typebox';
import { changeRequestContentOperations, contentOperationTable } from './content.ts';
import { collectionOperations, spaceOperations } from './containers.ts';
import type { OperationShape } from './define.ts';
import { changeRequestOperations, commentOperationTable } from './discussions.ts';
import { extensionOperations } from './extensions.ts';
import { customFieldOperations, openApiOperations, translationOperations } from './extras.ts';
import { memberOperations, organizationOperations, samlOperations, teamOperations } from './people.ts';
import { siteOperations, siteSectionOperations, siteSpaceOperations } from './sites.ts';

export { MOST_CHANGES, MOST_INLINE_BYTES, MOST_INSERTED_FILES } from './extensions.ts';

/** The operations of the API document, by name. */
export const operations = {
  ...collectionOperations,
  ...spaceOperations,
  ...contentOperationTable,
  ...changeRequestOperations,
  ...changeRequestContentOperations,
  ...commentOperationTable,
  ...customFieldOperations,
  ...siteOperations,
  ...siteSectionOperations,
  ...siteSpaceOperations,
  ...organizationOperations,
  ...memberOperations,
  ...teamOperations,
  ...samlOperations,
  ...openApiOperations,
  ...translationOperations,
} as const satisfies Record<string, OperationShape>;

/** These and the extensions of the reference platform. */
export const allOperations = { ...operations, ...extensionOperations } as const satisfies Record<
  string,
  OperationShape
>;

export type OperationName = keyof typeof operations;
export type AnyOperationName = keyof typeof allOperations;
type Declared<N extends AnyOperationName> = (typeof allOperations)[N];

type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

/** Path parameters of an operation, by name. */
export type PathOf<N extends AnyOperationName> = {
  readonly [K in PathNames<Declared<N>['path']>]: string;
};
export type QueryOf<N extends AnyOperationName> =
  Declared<N> extends { query: infer Q extends TSchema } ? Static<Q> : Record<never, never>;
/** The query as a server reads it: a parameter with a default is there. */
export type ReadQueryOf<N extends AnyOperationName> =
  Declared<N> extends { query: { properties: infer P extends TProperties } & (infer Q extends TSchema) }
    ? Static<Q> & { [K in keyof P as P[K] extends { default: unknown } ? K : never]: Static<P[K]> }
    : Record<never, never>;
export type BodyOf<N extends AnyOperationName> =
  Declared<N> extends { body: infer B extends TSchema } ? Static<B> : undefined;
/** The documented answer; what a platform really sends may hold more. */
export type AnswerOf<N extends AnyOperationName> =
  Declared<N> extends { response: infer R extends TSchema } ? Static<R> : undefined;

/** Operations that answer the list envelope. */
export type PagedOperationName = {
  [N in OperationName]: Declared<N> extends { paged: true } ? N : never;
}[OperationName];
export type ItemOf<N extends PagedOperationName> = AnswerOf<N> extends { items: (infer Item)[] } ? Item : never;

/** Names of the path parameters in the order in which they stand. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

// Servers take these away, and with them what comes before or between.
const OF_FOLDERS: ReadonlySet<string> = new Set(['', '.', '..']);

/** True for an id that can stand in an address and means nothing else there. */
export function isPathValue(value: unknown): value is string {
  return typeof value === 'string' && !OF_FOLDERS.has(value) && value.isWellFormed();
}

export const operationNames = Object.keys(operations) as OperationName[];
export const anyOperationNames = Object.keys(allOperations) as AnyOperationName[];

/** The declaration of an operation as plain data. */
export function operationOf(name: AnyOperationName): OperationShape {
  return allOperations[name];
}

/** Schemas of what the body of an operation may set, by field; none for one without a body. */
export function bodyFields(name: AnyOperationName): Readonly<Record<string, unknown>> {
  const { body } = operationOf(name);
  return body !== undefined && 'properties' in body ? (body.properties as Readonly<Record<string, unknown>>) : {};
}
