import { isoTime } from '../../base/index.ts';
import type { Role, TranslationSettings } from '../../contract/index.ts';
import { reaches } from '../access/roles.ts';
import type { PlatformContext } from '../context.ts';
import { deleteRow, findRow, rowPage } from '../store/plain-rows.ts';
import { laterThan } from '../store/spaces.ts';
import type { TranslationRow } from '../store/tables.ts';
import type { Handlers } from './types.ts';

function showTranslation(context: PlatformContext, row: TranslationRow, role: Role | null): TranslationSettings {
  return {
    object: 'translation-settings' as const,
    id: row.id,
    title: row.title,
    languages: JSON.parse(row.languages) as string[],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    permissions: { view: true, edit: reaches(role, 'create') },
    urls: { location: `${context.url}/v1/orgs/${row.organization}/translations/${row.id}` },
  };
}

function findTranslation(
  context: PlatformContext,
  path: { organizationId: string; translationSettingsId: string },
): TranslationRow {
  const at = { organization: path.organizationId, key: path.translationSettingsId };
  return findRow<TranslationRow>(context, 'translation_settings', at);
}

export const translationHandlers = {
  listTranslationSettings: (context, { path, query, caller }) =>
    rowPage<TranslationRow, TranslationSettings>(
      context,
      { table: 'translation_settings', of: ['organization', path.organizationId], query },
      (row) => showTranslation(context, row, caller.role),
    ),

  createTranslationSettings: (context, { path, body, caller }) => {
    const now = isoTime(context.clock.now());
    const { title } = body;
    const row = {
      id: context.random.id(),
      organization: path.organizationId,
      title,
      languages: '[]',
      created_at: now,
      updated_at: now,
    };
    context.db.run(context.db.sql.insertInto('translation_settings').values(row));
    return showTranslation(context, row, caller.role);
  },

  getTranslationSettings: (context, { path, caller }) =>
    showTranslation(context, findTranslation(context, path), caller.role),

  putTranslationSettings: (context, { path, body, caller }) => {
    const row = findTranslation(context, path);
    const changed = { title: body.title, updated_at: laterThan(context, row.updated_at) };
    context.db.run(context.db.sql.updateTable('translation_settings').set(changed).where('id', '=', row.id));
    return showTranslation(context, { ...row, ...changed }, caller.role);
  },

  deleteTranslationSettings: (context, { path }) =>
    deleteRow(context, 'translation_settings', findTranslation(context, path).id),
} satisfies Handlers;
