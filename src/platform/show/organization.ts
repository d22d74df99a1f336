import type { Member, Organization, Role } from '../../contract/index.ts';
import { organizationPermissions } from '../access/permissions.ts';
import { spaceCounter } from '../access/visible-spaces.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { showUser } from '../store/people.ts';
import { countTeamsOf } from '../store/teams.ts';
import type { MemberRow, OrganizationRow } from '../store/tables.ts';

/** The settings of an organization that PATCH writes, as stored. */
export interface OrganizationSettings {
  emailDomains?: string[];
  hostname?: string;
  defaultRole?: Role | null;
  defaultContent?: { type: 'site'; site: string } | null;
  logo?: string | null;
  sso?: boolean;
  ai?: boolean;
  inviteLinks?: boolean;
}

export function settingsOf(row: OrganizationRow): OrganizationSettings {
  return JSON.parse(row.settings) as OrganizationSettings;
}

export function showOrganization(context: PlatformContext, row: OrganizationRow, role: Role | null): Organization {
  const { logo, emailDomains, inviteLinks, defaultRole, sso, ai, ...rest } = settingsOf(row);
  return defined({
    object: 'organization' as const,
    id: row.id,
    title: row.title,
    createdAt: row.created_at,
    emailDomains: emailDomains ?? [],
    ...rest,
    type: 'business' as const,
    defaultRole: defaultRole === undefined ? null : defaultRole,
    sso: sso ?? false,
    ai: ai ?? false,
    inviteLinks: inviteLinks ?? true,
    plan: 'pro' as const,
    urls: defined({
      location: `${context.url}/v1/orgs/${row.id}`,
      app: `${context.url}/app/o/${row.id}`,
      logo: logo ?? undefined,
    }),
    trial: { status: 'none' as const },
    permissions: organizationPermissions(role),
  });
}

/** `countSpaces` counts what a member of the organization sees; lists share one. */
export function showMember(
  context: PlatformContext,
  row: MemberRow,
  countSpaces = spaceCounter(context, row.organization),
): Member {
  return defined({
    object: 'member' as const,
    id: row.user,
    role: row.role,
    user: showUser(context, row.user),
    disabled: row.disabled === 1,
    joinedAt: row.joined_at,
    lastSeenAt: row.last_seen_at ?? undefined,
    sso: row.sso === 1,
    spaces: countSpaces(row),
    teams: countTeamsOf(context, row.organization, row.user),
  });
}
