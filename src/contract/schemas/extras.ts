// Custom fields, OpenAPI specifications and translations. Source: the sections of the API document of those names.
import Type from 'typebox';
import { DateTime, Flag, Id, Text, entity, partial } from './common.ts';

const CUSTOM_FIELD_TYPES = ['text', 'number', 'boolean', 'tags', 'select:multi', 'select:single'] as const;

/** Of a field that is chosen from, and of each of them in characters. */
export const MOST_OPTIONS = 50;
export const LONGEST_OPTION = 40;

export const customFieldBounds = {
  title: Type.String({ maxLength: 100 }),
  description: Type.String({ maxLength: 200 }),
  placeholder: Type.String({ maxLength: 100 }),
  options: Type.Array(Type.String({ minLength: 1, maxLength: LONGEST_OPTION }), {
    minItems: 1,
    maxItems: MOST_OPTIONS,
  }),
};
export const CustomFieldName = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[a-z_\\-0-9]+$',
});
export const CustomFieldType = Type.Enum([...CUSTOM_FIELD_TYPES]);

export const CustomField = entity('custom-field', {
  id: Id,
  name: CustomFieldName,
  title: Type.Optional(customFieldBounds.title),
  description: Type.Optional(customFieldBounds.description),
  type: CustomFieldType,
  placeholder: Type.Optional(customFieldBounds.placeholder),
  options: Type.Optional(customFieldBounds.options),
  createdAt: DateTime,
  updatedAt: DateTime,
  urls: partial({ location: Text }),
  permissions: partial({ view: Flag, edit: Flag }),
});

export const CustomFieldValue = Type.Union([
  Type.String({ maxLength: 256 }),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String({ maxLength: 256 })),
]);

export const CustomFieldValues = Type.Object({
  customField: CustomField,
  value: Type.Optional(CustomFieldValue),
});

export const SpecSlug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
});

/** Where both are given, the address counts; a wrong one beside a text is wrong all the same. */
export const OpenApiSource = Type.Union([
  Type.Object({ url: Type.String({ format: 'uri', maxLength: 2048 }) }),
  Type.Object({ text: Type.String({ minLength: 1 }), url: Type.Optional(Type.Null()) }),
]);

export const OpenApiSpec = entity('openapi-spec', {
  id: Id,
  createdAt: DateTime,
  updatedAt: DateTime,
  slug: SpecSlug,
  sourceURL: Type.Optional(Type.String({ format: 'uri', maxLength: 2048 })),
  processingState: Type.Enum(['pending', 'progress', 'complete']),
  lastVersion: Type.Optional(Id),
  lastProcessedAt: Type.Optional(DateTime),
  lastProcessErrorCode: Type.Optional(Type.Enum(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'])),
  permissions: partial({ view: Flag, edit: Flag }),
  urls: partial({ location: Text, app: Text }),
});

export const OpenApiSpecVersion = entity('openapi-spec-version', {
  id: Id,
  createdAt: Type.Optional(DateTime),
  url: Type.String({ format: 'uri', maxLength: 2048 }),
  urls: partial({ location: Text }),
});

export const OpenApiVersionContent = Type.Object({
  filesystem: Type.Record(Type.String(), Type.Unknown()),
  url: Text,
});

export const TranslationTitle = Type.String({ minLength: 1, maxLength: 100 });

export const TranslationSettings = entity('translation-settings', {
  id: Id,
  title: TranslationTitle,
  languages: Type.Array(Text),
  createdAt: DateTime,
  updatedAt: DateTime,
  permissions: partial({ view: Flag, edit: Flag }),
  urls: partial({ location: Text }),
});
