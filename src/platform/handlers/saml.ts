import { isoTime } from '../../base/index.ts';
import { type BodyOf, type SamlProvider, invalid } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { deleteRow, findRow, rowPage } from '../store/plain-rows.ts';
import type { SamlProviderRow } from '../store/tables.ts';
import { teamOf } from '../store/teams.ts';
import { showTeam, type TeamViewer } from './teams.ts';
import type { Handlers } from './types.ts';

type Settings = Omit<BodyOf<'updateSamlProvider'>, 'label'>;

function knownSettings({ entityID, certificate, ssoURL, defaultTeam, defaultRole }: Settings) {
  return defined({ entityID, certificate, ssoURL, defaultTeam, defaultRole });
}

function demandTeam(context: PlatformContext, organization: string, { defaultTeam }: Settings): void {
  if (defaultTeam === undefined || teamOf(context, organization, defaultTeam)) return;
  throw invalid('defaultTeam', `team ${defaultTeam} does not exist in this organization`);
}

function startUrl(context: PlatformContext, row: SamlProviderRow): string {
  return `${context.url}/saml/${row.id}/start`;
}

function showProvider(context: PlatformContext, row: SamlProviderRow, viewer: TeamViewer): SamlProvider {
  const { defaultTeam, ...settings } = JSON.parse(row.settings) as Settings;
  const base = `${context.url}/saml/${row.id}`;
  return defined({
    object: 'saml-provider' as const,
    id: row.id,
    label: row.label,
    ...settings,
    defaultTeam: defaultTeam === undefined ? undefined : presentTeam(context, row, { defaultTeam, viewer }),
    createdAt: row.created_at,
    service: { acsURL: `${base}/acs`, startURL: startUrl(context, row), entityID: base },
    urls: { location: `${context.url}/v1/orgs/${row.organization}/saml/${row.id}` },
  });
}

// A team that was deleted since is no longer the default of anything.
function presentTeam(
  context: PlatformContext,
  { organization }: SamlProviderRow,
  { defaultTeam, viewer }: { defaultTeam: string; viewer: TeamViewer },
) {
  const row = teamOf(context, organization, defaultTeam);
  return row && showTeam(context, row, viewer);
}

function findProvider(
  context: PlatformContext,
  path: { organizationId: string; samlProviderId: string },
): SamlProviderRow {
  const at = { organization: path.organizationId, key: path.samlProviderId };
  return findRow<SamlProviderRow>(context, 'saml_providers', at);
}

export const samlHandlers = {
  listSamlProviders: (context, { path, query, caller }) =>
    rowPage<SamlProviderRow, SamlProvider>(
      context,
      { table: 'saml_providers', of: ['organization', path.organizationId], query },
      (row) => showProvider(context, row, caller),
    ),

  createSamlProvider: (context, { path, body, caller }) => {
    const organization = path.organizationId;
    demandTeam(context, organization, body);
    const row = {
      id: context.random.id(),
      organization,
      label: body.label,
      settings: JSON.stringify(knownSettings(body)),
      created_at: isoTime(context.clock.now()),
    };
    context.db.run(context.db.sql.insertInto('saml_providers').values(row));
    return showProvider(context, row, caller);
  },

  getSamlProvider: (context, { path, caller }) => showProvider(context, findProvider(context, path), caller),

  updateSamlProvider: (context, { path, body, caller }) => {
    const row = findProvider(context, path);
    demandTeam(context, row.organization, body);
    const before = JSON.parse(row.settings) as Settings;
    const changed = {
      label: body.label ?? row.label,
      settings: JSON.stringify({ ...before, ...knownSettings(body) }),
    };
    context.db.run(context.db.sql.updateTable('saml_providers').set(changed).where('id', '=', row.id));
    return showProvider(context, { ...row, ...changed }, caller);
  },

  deleteSamlProvider: (context, { path }) => deleteRow(context, 'saml_providers', findProvider(context, path).id),

  listSsoProviders: (context, { path }) => {
    const rows = context.db
      .prepare<SamlProviderRow>('select * from saml_providers where organization = ? order by seq')
      .all(path.organizationId);
    return { items: rows.map((row) => ({ id: row.id, label: row.label, startURL: startUrl(context, row) })) };
  },
} satisfies Handlers;
