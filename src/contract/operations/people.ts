// Sections "Organizations, invites, search", "Members", "Teams" and "SAML and SSO".
import Type from 'typebox';
import { Flag, Id, MemberRole, ROLES, Role, Text, nullable } from '../schemas/common.ts';
import { Space } from '../schemas/containers.ts';
import { OrganizationSearchResult } from '../schemas/content.ts';
import {
  DefaultContent,
  Invite,
  Member,
  Organization,
  SamlProvider,
  SsoEntry,
  Team,
  TeamMembership,
} from '../schemas/people.ts';
import { list, operation, order, withDefault } from './define.ts';

const ORGANIZATIONS = 'Organizations, invites, search';
const MEMBERS = 'Members';
const TEAMS = 'Teams';
const SAML = 'SAML and SSO';
const organization = '/v1/orgs/{organizationId}';
const invite = '/v1/orgs/{organizationId}/link-invites/{inviteId}';
const member = '/v1/orgs/{organizationId}/members/{userId}';
const team = '/v1/orgs/{organizationId}/teams/{teamId}';
const samlProvider = '/v1/orgs/{organizationId}/saml/{samlProviderId}';

export const organizationOperations = {
  listOrganizations: list(ORGANIZATIONS, '/v1/orgs', { item: Organization }),
  getOrganization: operation({
    section: ORGANIZATIONS,
    method: 'GET',
    path: organization,
    success: [200],
    statusFromReference: true,
    response: Organization,
  }),
  updateOrganization: operation({
    section: ORGANIZATIONS,
    method: 'PATCH',
    path: organization,
    body: Type.Object({
      title: Type.Optional(Type.String({ minLength: 2, maxLength: 255 })),
      emailDomains: Type.Optional(Type.Array(Text)),
      hostname: Type.Optional(Type.String({ minLength: 3, maxLength: 32 })),
      defaultRole: Type.Optional(MemberRole),
      defaultContent: Type.Optional(nullable(DefaultContent)),
      logo: Type.Optional(nullable(Type.String({ format: 'uri', maxLength: 2048 }))),
      sso: Type.Optional(Flag),
      ai: Type.Optional(Flag),
      inviteLinks: Type.Optional(Flag),
    }),
    success: [200],
    statusFromReference: true,
    response: Organization,
  }),
  getInvite: operation({
    section: ORGANIZATIONS,
    method: 'GET',
    path: invite,
    success: [200],
    response: Invite,
  }),
  deleteInvite: operation({
    section: ORGANIZATIONS,
    method: 'DELETE',
    path: invite,
    success: [205],
  }),
  updateInvite: operation({
    section: ORGANIZATIONS,
    method: 'PATCH',
    path: invite,
    body: Type.Object({ role: Type.Optional(MemberRole) }),
    success: [200],
    response: Invite,
  }),
  searchOrganization: list(ORGANIZATIONS, `${organization}/search`, {
    item: OrganizationSearchResult,
    query: { query: Type.String({ minLength: 1, maxLength: 512 }) },
  }),
  listEmailDomainOrganizations: operation({
    section: ORGANIZATIONS,
    method: 'GET',
    path: '/v1/email-domains/{emailDomain}/orgs',
    success: [200],
    response: Type.Object({ organizations: Type.Array(Organization) }),
  }),
};

export const memberOperations = {
  listMembers: list(MEMBERS, `${organization}/members`, {
    item: Member,
    query: {
      order,
      role: Type.Optional(Type.Enum([...ROLES, 'guest'])),
      search: Type.Optional(Text),
      sort: withDefault(Type.Enum(['joinedAt', 'lastSeenAt']), 'joinedAt'),
    },
  }),
  getMember: operation({
    section: MEMBERS,
    method: 'GET',
    path: member,
    success: [200],
    response: Member,
  }),
  deleteMember: operation({ section: MEMBERS, method: 'DELETE', path: member, success: [204] }),
  updateMember: operation({
    section: MEMBERS,
    method: 'PATCH',
    path: member,
    body: Type.Object({ role: Type.Optional(MemberRole) }),
    success: [200],
    response: Member,
  }),
  pingOrganization: operation({
    section: MEMBERS,
    method: 'POST',
    path: `${organization}/ping`,
    success: [200],
    response: Type.Object({ serviceVisitorClaims: Type.Optional(Text) }),
  }),
  setMemberSso: operation({
    section: MEMBERS,
    method: 'POST',
    path: `${member}/sso`,
    success: [200],
    response: Member,
  }),
  listMemberSpaces: list(MEMBERS, `${member}/spaces`, {
    item: Type.Object({ permission: Role, space: Space }),
    query: { order },
  }),
  listMemberTeams: list(MEMBERS, `${member}/teams`, {
    item: TeamMembership,
    query: { title: Type.Optional(Text) },
  }),
};

const teamTitle = Type.String({ minLength: 1, maxLength: 64 });

export const teamOperations = {
  listTeams: list(TEAMS, `${organization}/teams`, {
    item: Team,
    query: { owner: Type.Optional(Id), title: Type.Optional(Text) },
  }),
  createTeam: operation({
    section: TEAMS,
    method: 'PUT',
    path: `${organization}/teams`,
    body: Type.Object({ title: teamTitle, members: Type.Optional(Type.Array(Id)) }),
    success: [201],
    response: Team,
  }),
  getTeam: operation({ section: TEAMS, method: 'GET', path: team, success: [200], response: Team }),
  deleteTeam: operation({ section: TEAMS, method: 'DELETE', path: team, success: [204] }),
  updateTeam: operation({
    section: TEAMS,
    method: 'PATCH',
    path: team,
    body: Type.Object({ title: teamTitle }),
    success: [200],
    response: Team,
  }),
};

const samlLabel = Type.String({ minLength: 1, maxLength: 30 });
const samlSettings = {
  entityID: Type.Optional(Type.String({ maxLength: 1024 })),
  certificate: Type.Optional(Type.String({ maxLength: 10_000 })),
  ssoURL: Type.Optional(Type.String({ format: 'uri', maxLength: 2048 })),
  defaultTeam: Type.Optional(Id),
  defaultRole: Type.Optional(MemberRole),
};

export const samlOperations = {
  listSamlProviders: list(SAML, `${organization}/saml`, { item: SamlProvider }),
  createSamlProvider: operation({
    section: SAML,
    method: 'POST',
    path: `${organization}/saml`,
    body: Type.Object({ label: samlLabel, ...samlSettings }),
    success: [201],
    response: SamlProvider,
  }),
  getSamlProvider: operation({
    section: SAML,
    method: 'GET',
    path: samlProvider,
    success: [200],
    statusFromReference: true,
    response: SamlProvider,
  }),
  deleteSamlProvider: operation({
    section: SAML,
    method: 'DELETE',
    path: samlProvider,
    success: [204],
  }),
  updateSamlProvider: operation({
    section: SAML,
    method: 'PATCH',
    path: samlProvider,
    body: Type.Object({ label: Type.Optional(samlLabel), ...samlSettings }),
    success: [200],
    response: SamlProvider,
  }),
  listSsoProviders: operation({
    section: SAML,
    method: 'GET',
    path: `${organization}/sso`,
    success: [200],
    response: Type.Object({ items: Type.Array(SsoEntry) }),
  }),
};
