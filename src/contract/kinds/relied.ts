// What callers rely on in an answer: where each resource and its id stands, and which lists hold parts of it.
import type { TSchema } from 'typebox';
import { anyOperationNames, operationOf, type AnyOperationName } from '../operations/index.ts';
import { requiredFieldsOf } from './fields.ts';
import { childKinds, kindNames, kindOf, type KindName } from './index.ts';

/** What a read promises of its answer. */
export interface Relied {
  /** Kind of the resources that it shows; null where it shows none that is mirrored. */
  readonly kind: KindName | null;
  /** Where the id of each stands: a field, or `a.b`; null where it has none. */
  readonly id: string | null;
  /** Where the resources stand: `listed`, the whole answer is their list; `items`, in that field; `answer`, it is the one resource. */
  readonly things: 'listed' | 'items' | 'answer';
  /** Fields of the answer that are lists of parts. */
  readonly parts: readonly string[];
}

const reliedOnBy: ReadonlyMap<AnyOperationName, Relied> = new Map(
  anyOperationNames
    .filter((name) => operationOf(name).method === 'GET')
    .map((name): [AnyOperationName, Relied] => [name, reliedOf(name)]),
);

/** What the answer of a read is relied on for; undefined for a write. */
export function reliedOn(operation: AnyOperationName): Relied | undefined {
  return reliedOnBy.get(operation);
}

// The first of these that a write promises tells its answer from any other: the id of what was written, or what came of it.
const TELLING = ['id', 'result'] as const;

const toldBy: ReadonlyMap<AnyOperationName, string> = new Map(
  anyOperationNames
    .filter((name) => operationOf(name).method !== 'GET')
    .flatMap((name): [AnyOperationName, string][] => {
      const { response } = operationOf(name);
      const required: unknown = response !== undefined && 'required' in response ? response.required : [];
      const field = TELLING.find((one) => Array.isArray(required) && required.includes(one));
      return field === undefined ? [] : [[name, field]];
    }),
);

/** The field that every answer of this write has; undefined where the contract promises none, and for a read. */
export function writtenTold(operation: AnyOperationName): string | undefined {
  return toldBy.get(operation);
}

function reliedOf(operation: AnyOperationName): Relied {
  const { paged, response } = operationOf(operation);
  const isList = response !== undefined && 'type' in response && response.type === 'array';
  const things = paged ? 'items' : isList ? 'listed' : 'answer';
  const kind = kindReadBy(operation) ?? kindShaped(paged ? itemOf(response) : response);
  return { kind, id: kind === null ? null : idOf(kind), things, parts: kind === null || paged ? [] : partsOf(kind) };
}

function kindReadBy(operation: AnyOperationName): KindName | null {
  const isReadBy = (name: KindName): boolean => {
    const { get, read } = kindOf(name);
    return get === operation || ((read.from === 'list' || read.from === 'single') && read.operation === operation);
  };
  return kindNames.find(isReadBy) ?? null;
}

/** Some operations show things of a kind that another one reads, as the spaces of a collection. */
function kindShaped(schema: unknown): KindName | null {
  return kindNames.find((name) => kindOf(name).schema === schema) ?? null;
}

function itemOf(response: TSchema | undefined): unknown {
  const fields = response !== undefined && 'properties' in response ? response.properties : undefined;
  const items = (fields as Record<string, TSchema> | undefined)?.['items'];
  return items !== undefined && 'items' in items ? items.items : undefined;
}

/** The one child of a parent is told from others by that parent, and may have an id of its own, as a revision. */
function idOf(kind: KindName): string | null {
  return kindOf(kind).id ?? (requiredFieldsOf(kind).includes('id') ? 'id' : null);
}

function partsOf(kind: KindName): string[] {
  return childKinds(kind).flatMap((name) => {
    const { read } = kindOf(name);
    return read.from === 'part' && read.mayLack !== true ? [read.field] : [];
  });
}
