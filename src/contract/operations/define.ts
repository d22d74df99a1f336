// The shape of an operation as data. Handlers, the typed client, validation and the OpenAPI document all read it.
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { listOf } from '../schemas/common.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OperationShape {
  /** Heading of the API document under which the operation stands. */
  readonly section: string;
  readonly method: Method;
  /** Path with `{name}` parameters, `/v1` included. */
  readonly path: string;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** A body may be left out altogether. */
  readonly bodyOptional?: true;
  /** Success statuses, the usual one first. */
  readonly success: readonly [number, ...number[]];
  /** True where the API document names no status ("body only"): it is that of the public reference platform. */
  readonly statusFromReference?: true;
  readonly response?: TSchema;
  /** Answers the list envelope and takes `page` and `limit`. */
  readonly paged?: true;
}

/** Keeps every literal of the declaration, so that types of path, query, body and answer can be derived from it. */
export function operation<const O extends OperationShape>(shape: O): O {
  return shape;
}

/** Of a query: a parameter that may be left out, and what stands for it then. Whoever serves it reads it as given, and describes it so. */
export function withDefault<T extends TSchema, const Value extends Static<T>>(schema: T, value: Value) {
  return Object.assign(Type.Optional(schema), { default: value });
}

/** The order of a list in time: the newest first, unless asked otherwise. */
export const order = withDefault(Type.Enum(['asc', 'desc']), 'desc');

/** Paging parameters of every list (Endpoints, conventions; limit 0..1000). */
export const pagingQuery = {
  page: Type.Optional(Type.String({ minLength: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
};

/** A paged read: `page`, `limit` and the given filters in, a list envelope out. */
export function list<const S extends string, const P extends string, Item extends TSchema, Q extends TProperties>(
  section: S,
  path: P,
  shape: { item: Item; query?: Q },
) {
  return {
    section,
    method: 'GET',
    path,
    query: Type.Object({ ...pagingQuery, ...(shape.query ?? ({} as Q)) }),
    success: [200],
    response: listOf(shape.item),
    paged: true,
  } as const;
}
