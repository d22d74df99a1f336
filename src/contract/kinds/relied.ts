// What everyone who reads an answer goes by: who each thing is, and the lists that are read to their end.
import type { TSchema } from 'typebox';
import { anyOperationNames, operationOf, type AnyOperationName } from '../operations/index.ts';
import { requiredFieldsOf } from './fields.ts';
import { kindNames, kindOf, type KindName } from './index.ts';

/** What a read promises of its answer. */
export interface Relied {
  /** Word for one of its things. */
  readonly kind: KindName | null;
  /** Where the id of each thing stands: a field, or `a.b`; null where it has none. */
  readonly id: string | null;
  /** Where the things stand: in a list that is the whole answer, in one of its fields, or there is one, the answer itself. */
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

/** By which the answer of a write is known to be of it, whichever is promised: what was written, or what came of it. */
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

/** The field without which nothing tells that an answer is that of the write; undefined where none is promised, and for a read. */
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
  return kindNames.flatMap((name) => {
    const { read } = kindOf(name);
    return read.from === 'part' && read.of === kind ? [read.field] : [];
  });
}
