// Questions about the fields of a kind, answered from its schema.
import type { TSchema } from 'typebox';
import { kindOf, type KindName } from './index.ts';

/** Where what people call a resource stands, of whichever kind it is: the first of these that it has. */
export const NAMED_AT = ['title', 'name', 'subject', 'label', 'slug', 'user.displayName'] as const;

/** Fields of a page that are kept elsewhere: where. */
export const KEPT_APART = {
  markdown: 'its text',
  document: 'its document tree is a row of page_documents',
  pages: 'each page below it is a row of its own, whose parent it is',
} as const;

/** Top-level fields of a kind's schema by name, in order. */
export function fieldsOf(name: KindName): ReadonlyMap<string, TSchema> {
  const target = ownSchemaOf(name);
  const properties = isObject(target) ? target['properties'] : undefined;
  return new Map(Object.entries(isObject(properties) ? properties : {}) as [string, TSchema][]);
}

/** The name of its type that each resource of a kind bears; undefined for kinds that bear none. */
export function typeNameOf(name: KindName): string | undefined {
  const object = fieldsOf(name).get('object');
  return object !== undefined && 'const' in object ? String(object.const) : undefined;
}

/** Names of the fields that every resource of a kind has, besides the one that names its type. */
export function requiredFieldsOf(name: KindName): string[] {
  const target = ownSchemaOf(name);
  const required = isObject(target) && Array.isArray(target['required']) ? target['required'] : [];
  return required.map(String).filter((field) => field !== 'object');
}

function ownSchemaOf(name: KindName): unknown {
  const { schema } = kindOf(name);
  const definitions: unknown = '$defs' in schema ? schema.$defs : undefined;
  return isObject(definitions) ? Object.values(definitions)[0] : schema;
}

/** True for a field that holds an embedded user. */
export function isUserField(schema: TSchema): boolean {
  const properties = 'properties' in schema ? schema.properties : undefined;
  const constant = isObject(properties) ? properties['object'] : undefined;
  return isObject(constant) && constant['const'] === 'user';
}

/** True for a switch that a platform need not show: where it does not, it is off. */
export function isOptionalSwitch(name: KindName, field: string): boolean {
  const schema = fieldsOf(name).get(field);
  const isSwitch = schema !== undefined && 'type' in schema && schema.type === 'boolean';
  return isSwitch && !requiredFieldsOf(name).includes(field);
}

export function isArrayField(schema: TSchema): boolean {
  return 'type' in schema && schema.type === 'array';
}

/** The word for a path parameter in columns and messages: `changeRequestId` -> `change-request`. */
export function parameterWord(parameter: string): string {
  const special: Readonly<Record<string, string>> = {
    userId: 'member',
    specSlug: 'spec',
    fieldName: 'custom-field',
    commentReplyId: 'comment-reply',
  };
  return special[parameter] ?? parameter.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** True for a plain object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
