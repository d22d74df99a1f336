// Sections "Custom fields", "OpenAPI specifications" and "Translations".
import Type from 'typebox';
import { MemberName } from '../schemas/common.ts';
import {
  CustomField,
  CustomFieldName,
  CustomFieldType,
  CustomFieldValue,
  CustomFieldValues,
  OpenApiSource,
  OpenApiSpec,
  OpenApiSpecVersion,
  OpenApiVersionContent,
  SpecSlug,
  TranslationSettings,
  TranslationTitle,
  customFieldBounds,
} from '../schemas/extras.ts';
import { list, operation } from './define.ts';

const FIELDS = 'Custom fields';
const SPECS = 'OpenAPI specifications';
const TRANSLATIONS = 'Translations';
const values = '/v1/spaces/{spaceId}/custom-fields';
const fields = '/v1/orgs/{organizationId}/custom-fields';
const field = '/v1/orgs/{organizationId}/custom-fields/{fieldName}';
const specs = '/v1/orgs/{organizationId}/openapi';
const spec = '/v1/orgs/{organizationId}/openapi/{specSlug}';
const translations = '/v1/orgs/{organizationId}/translations';
const translation = '/v1/orgs/{organizationId}/translations/{translationSettingsId}';

const fieldSettings = {
  title: Type.Optional(customFieldBounds.title),
  description: Type.Optional(customFieldBounds.description),
  placeholder: Type.Optional(customFieldBounds.placeholder),
  options: Type.Optional(customFieldBounds.options),
};

export const customFieldOperations = {
  getCustomFieldValues: operation({
    section: FIELDS,
    method: 'GET',
    path: values,
    success: [200],
    response: Type.Array(CustomFieldValues),
  }),
  updateCustomFieldValues: operation({
    section: FIELDS,
    method: 'PATCH',
    path: values,
    // The document names the body field without a required mark.
    body: Type.Object({
      values: Type.Optional(Type.Record(MemberName, Type.Object({ value: CustomFieldValue }))),
    }),
    success: [204],
  }),
  listCustomFields: list(FIELDS, fields, { item: CustomField }),
  createCustomField: operation({
    section: FIELDS,
    method: 'POST',
    path: fields,
    body: Type.Object({ name: CustomFieldName, type: CustomFieldType, ...fieldSettings }),
    success: [201],
    response: CustomField,
  }),
  getCustomField: operation({
    section: FIELDS,
    method: 'GET',
    path: field,
    success: [200],
    statusFromReference: true,
    response: CustomField,
  }),
  deleteCustomField: operation({ section: FIELDS, method: 'DELETE', path: field, success: [204] }),
  updateCustomField: operation({
    section: FIELDS,
    method: 'PATCH',
    path: field,
    body: Type.Object(fieldSettings),
    success: [200],
    response: CustomField,
  }),
};

export const openApiOperations = {
  listOpenApiSpecs: list(SPECS, specs, { item: OpenApiSpec }),
  createOpenApiSpec: operation({
    section: SPECS,
    method: 'POST',
    path: specs,
    body: Type.Object({ slug: SpecSlug, source: OpenApiSource }),
    success: [201],
    statusFromReference: true,
    response: OpenApiSpec,
  }),
  getOpenApiSpec: operation({
    section: SPECS,
    method: 'GET',
    path: spec,
    success: [200],
    statusFromReference: true,
    response: OpenApiSpec,
  }),
  putOpenApiSpec: operation({
    section: SPECS,
    method: 'PUT',
    path: spec,
    body: Type.Object({ source: OpenApiSource }),
    success: [200, 201],
    statusFromReference: true,
    response: OpenApiSpec,
  }),
  deleteOpenApiSpec: operation({ section: SPECS, method: 'DELETE', path: spec, success: [205] }),
  listOpenApiSpecVersions: operation({
    ...list(SPECS, `${spec}/versions`, { item: OpenApiSpecVersion }),
    statusFromReference: true,
  }),
  getLatestOpenApiSpecVersion: operation({
    section: SPECS,
    method: 'GET',
    path: `${spec}/versions/latest`,
    success: [200],
    statusFromReference: true,
    response: OpenApiSpecVersion,
  }),
  getLatestOpenApiSpecVersionContent: operation({
    section: SPECS,
    method: 'GET',
    path: `${spec}/versions/latest/content`,
    success: [200],
    statusFromReference: true,
    response: OpenApiVersionContent,
  }),
  getOpenApiSpecVersion: operation({
    section: SPECS,
    method: 'GET',
    path: `${spec}/versions/{versionId}`,
    success: [200],
    statusFromReference: true,
    response: OpenApiSpecVersion,
  }),
  getOpenApiSpecVersionContent: operation({
    section: SPECS,
    method: 'GET',
    path: `${spec}/versions/{versionId}/content`,
    success: [200],
    statusFromReference: true,
    response: OpenApiVersionContent,
  }),
};

const titleBody = Type.Object({ title: TranslationTitle });

export const translationOperations = {
  listTranslationSettings: list(TRANSLATIONS, translations, { item: TranslationSettings }),
  createTranslationSettings: operation({
    section: TRANSLATIONS,
    method: 'POST',
    path: translations,
    body: titleBody,
    success: [201],
    statusFromReference: true,
    response: TranslationSettings,
  }),
  getTranslationSettings: operation({
    section: TRANSLATIONS,
    method: 'GET',
    path: translation,
    success: [200],
    statusFromReference: true,
    response: TranslationSettings,
  }),
  putTranslationSettings: operation({
    section: TRANSLATIONS,
    method: 'PUT',
    path: translation,
    body: titleBody,
    success: [200],
    statusFromReference: true,
    response: TranslationSettings,
  }),
  deleteTranslationSettings: operation({
    section: TRANSLATIONS,
    method: 'DELETE',
    path: translation,
    success: [205],
  }),
};
