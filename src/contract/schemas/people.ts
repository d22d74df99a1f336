// Organizations and who may do what. Source: the API document, "Organization", "Member", "Team", "Invite", "SAML provider", "Subdomain".
import Type from 'typebox';
import { Count, DateTime, Flag, Id, MemberRole, Text, User, entity, nullable, partial } from './common.ts';

export const PLANS = [
  'free_2024',
  'plus_2024',
  'pro_2024',
  'enterprise_2024',
  'community_2024',
  'free',
  'plus',
  'pro',
  'team',
  'business',
  'legacy',
  'startup',
  'enterprise',
  'community',
  'team_oct_2019_free',
  'team_dec_2021',
  'business_dec_2021',
] as const;

export const DefaultContent = Type.Object({ type: Type.Literal('site'), site: Id });

export const Organization = entity('organization', {
  id: Id,
  title: Type.String({ minLength: 2, maxLength: 255 }),
  createdAt: DateTime,
  emailDomains: Type.Array(Text),
  hostname: Type.Optional(Type.String({ minLength: 3, maxLength: 32 })),
  type: Type.Enum(['business', 'community']),
  useCase: Type.Optional(
    Type.Enum([
      'internalDocs',
      'docsSite',
      'audienceControlledSite',
      'productDocs',
      'teamKnowledgeBase',
      'designSystem',
      'openSourceDocs',
      'notes',
      'other',
    ]),
  ),
  communityType: Type.Optional(Type.Enum(['nonProfit', 'openSource', 'education'])),
  defaultRole: Type.Optional(MemberRole),
  defaultContent: Type.Optional(nullable(DefaultContent)),
  sso: Type.Optional(Flag),
  ai: Type.Optional(Flag),
  inviteLinks: Flag,
  plan: Type.Enum([...PLANS]),
  billing: Type.Optional(
    partial({
      interval: Type.Enum(['monthly', 'yearly']),
      endDate: DateTime,
      hasPaymentFailed: Flag,
      isScheduledToCancel: Flag,
    }),
  ),
  urls: partial({ location: Text, app: Text, logo: Text }),
  trial: Type.Optional(
    partial({
      status: Type.Enum(['notapplicable', 'none', 'active', 'ended', 'expired']),
      endDate: DateTime,
      decision: Type.Enum(['downgrade']),
    }),
  ),
  customHostname: Type.Optional(Text),
  blocked: Type.Optional(partial({ reason: Type.Enum(['security']) })),
  internal_billingMigration: Type.Optional(
    partial({ deadline: DateTime, discountPercent: Type.Number(), discountEndDate: DateTime }),
  ),
  internal_isOnNewTrial: Type.Optional(Type.Literal(true)),
  permissions: partial({
    view: Flag,
    admin: Flag,
    ownTeam: Flag,
    createContent: Flag,
    createOpenAPISpec: Flag,
    viewBilling: Flag,
    listMembers: Flag,
    listTeams: Flag,
    listIntegrations: Flag,
  }),
});

/** `id` is the user's id (reference platform). */
export const Member = entity('member', {
  id: Id,
  role: MemberRole,
  user: User,
  disabled: Flag,
  joinedAt: DateTime,
  lastSeenAt: Type.Optional(DateTime),
  sso: Flag,
  spaces: Count,
  teams: Count,
});

export const Team = entity('team', {
  id: Id,
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  members: Type.Optional(Count),
  spaces: Type.Optional(Count),
  createdAt: Type.Optional(DateTime),
  permissions: Type.Optional(partial({ admin: Flag, view: Flag })),
});

const TEAM_ROLES = ['owner', 'member'] as const;

export const TeamMembership = Type.Object({
  team: Team,
  member: Type.Object({ role: Type.Enum([...TEAM_ROLES]) }),
});

export const Invite = entity('invite', {
  id: Id,
  role: MemberRole,
  redundant: Type.Optional(Flag),
});

export const SamlProvider = entity('saml-provider', {
  id: Id,
  label: Type.String({ minLength: 1, maxLength: 30 }),
  ssoURL: Type.Optional(Type.String({ maxLength: 2048 })),
  entityID: Type.Optional(Type.String({ maxLength: 1024 })),
  certificate: Type.Optional(Type.String({ maxLength: 10_000 })),
  defaultTeam: Type.Optional(Team),
  defaultRole: Type.Optional(MemberRole),
  createdAt: DateTime,
  service: partial({ acsURL: Text, startURL: Text, entityID: Text }),
  urls: partial({ location: Text }),
});

export const SsoEntry = Type.Object({ id: Id, label: Text, startURL: Text });

/** No operation of the contract reads or writes it; kept for embedded occurrences. */
export const Subdomain = entity('subdomain', {
  subdomain: Type.String({
    minLength: 3,
    maxLength: 32,
    pattern: '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$',
  }),
  target: Type.Object({ type: Type.Literal('organization'), organization: Id }),
  isActive: Flag,
});
