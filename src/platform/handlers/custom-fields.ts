import { isoTime } from '../../base/index.ts';
import { type BodyOf, type CustomField, type Role, conflict, invalid } from '../../contract/index.ts';
import { reaches } from '../access/roles.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { deleteFieldValue, fieldValues, saveFieldValue, type FieldValue } from '../store/field-values.ts';
import { deleteRow, findRow, rowPage } from '../store/plain-rows.ts';
import { findSpace, laterThan, updateSpaceRow } from '../store/spaces.ts';
import type { CustomFieldRow } from '../store/tables.ts';
import type { Handlers } from './types.ts';

type Settings = BodyOf<'updateCustomField'>;

function showField(context: PlatformContext, row: CustomFieldRow, role: Role | null): CustomField {
  return {
    object: 'custom-field' as const,
    id: row.id,
    name: row.name,
    ...settingsOf(row),
    type: row.type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    urls: { location: `${context.url}/v1/orgs/${row.organization}/custom-fields/${row.name}` },
    permissions: { view: true, edit: reaches(role, 'create') },
  };
}

function settingsOf(row: CustomFieldRow): Settings {
  return JSON.parse(row.settings) as Settings;
}

function findField(context: PlatformContext, organization: string, name: string): CustomFieldRow {
  return findRow<CustomFieldRow>(context, 'custom_fields', { organization, key: name });
}

function knownSettings({ title, description, placeholder, options }: Settings) {
  return defined({ title, description, placeholder, options });
}

function demandOptions(type: CustomField['type'], { options }: Settings): void {
  const chooses = type === 'select:single' || type === 'select:multi';
  if (chooses && options === undefined) throw invalid('options', `is required for a field of type ${type}`);
  if (options && new Set(options).size < options.length) throw invalid('options', 'must not name an option twice');
}

// The schema knows no null, so that a value is cleared by an empty text or an empty list, whatever the type of the field.
function clears(value: FieldValue): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

const TEXTS = 'a list of texts';
const TAKES: Readonly<Record<CustomField['type'], string>> = {
  text: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  tags: TEXTS,
  'select:multi': TEXTS,
  'select:single': 'a string',
};

/** The kinds of value that a field takes, of a type that the contract knows; options bind those that are chosen from now on. */
function demandValue(field: CustomFieldRow, value: FieldValue): void {
  const name = `values/${field.name}/value`;
  const takes: string | undefined = TAKES[field.type];
  const given = Array.isArray(value) ? TEXTS : `a ${typeof value}`;
  if (takes !== undefined && given !== takes) throw invalid(name, `must be ${takes}`);
  const { options } = settingsOf(field);
  if (!field.type.startsWith('select') || !options) return;
  const chosen = Array.isArray(value) ? value : [String(value)];
  const unknown = chosen.find((one) => !options.includes(one));
  if (unknown !== undefined) throw invalid(name, `must be among ${options.join(', ')}`);
}

/** Answers whether that is another value than the space had. */
function setValue(
  context: PlatformContext,
  { space, field }: { space: string; field: CustomFieldRow },
  value: FieldValue,
): boolean {
  const at = { space, field: field.id };
  if (clears(value)) return deleteFieldValue(context, at);
  demandValue(field, value);
  return saveFieldValue(context, at, value);
}

function fieldsOf(context: PlatformContext, organization: string): CustomFieldRow[] {
  return context.db
    .prepare<CustomFieldRow>('select * from custom_fields where organization = ? order by seq')
    .all(organization);
}

export const customFieldHandlers = {
  getCustomFieldValues: (context, { path, caller }) => {
    const space = findSpace(context, path.spaceId);
    const values = fieldValues(context, space.id);
    return fieldsOf(context, space.organization).map((field) =>
      defined({ customField: showField(context, field, caller.organizationRole), value: values.get(field.id) }),
    );
  },

  updateCustomFieldValues: (context, { path, body }) => {
    const space = findSpace(context, path.spaceId);
    const fields = new Map(fieldsOf(context, space.organization).map((field) => [field.name, field]));
    let isChanged = false;
    for (const [name, { value }] of Object.entries(body.values ?? {})) {
      const field = fields.get(name);
      if (!field) throw invalid(`values/${name}`, 'there is no custom field of this name');
      isChanged = setValue(context, { space: space.id, field }, value) || isChanged;
    }
    if (isChanged) updateSpaceRow(context, space.id, {});
    return undefined;
  },

  listCustomFields: (context, { path, query, caller }) =>
    rowPage<CustomFieldRow, CustomField>(
      context,
      { table: 'custom_fields', of: ['organization', path.organizationId], query },
      (row) => showField(context, row, caller.role),
    ),

  createCustomField: (context, { path, body, caller }) => {
    const organization = path.organizationId;
    const { name, type } = body;
    if (fieldsOf(context, organization).some((field) => field.name === name)) {
      throw conflict(`A custom field named ${name} exists already`);
    }
    demandOptions(type, body);
    const now = isoTime(context.clock.now());
    const settings = JSON.stringify(knownSettings(body));
    const row = { id: context.random.id(), organization, name, type, settings, created_at: now, updated_at: now };
    context.db.run(context.db.sql.insertInto('custom_fields').values(row));
    return showField(context, row, caller.role);
  },

  getCustomField: (context, { path, caller }) =>
    showField(context, findField(context, path.organizationId, path.fieldName), caller.role),

  updateCustomField: (context, { path, body, caller }) => {
    const row = findField(context, path.organizationId, path.fieldName);
    demandOptions(row.type, { ...settingsOf(row), ...body });
    const settings = JSON.stringify({ ...settingsOf(row), ...knownSettings(body) });
    const changed = { settings, updated_at: laterThan(context, row.updated_at) };
    context.db.run(context.db.sql.updateTable('custom_fields').set(changed).where('id', '=', row.id));
    return showField(context, { ...row, ...changed }, caller.role);
  },

  deleteCustomField: (context, { path }) =>
    deleteRow(context, 'custom_fields', findField(context, path.organizationId, path.fieldName).id),
} satisfies Handlers;
