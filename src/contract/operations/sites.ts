// Sections "Sites", "Site sections", "Site section groups", "Site spaces" and "Site share links".
import Type, { type TSchema } from 'typebox';
import { Flag, Id, Text, nullable, pointer, positionOf } from '../schemas/common.ts';
import {
  AdaptiveJsonSchema,
  PublishedContentSite,
  SITE_TYPES,
  SITE_VISIBILITIES,
  ShareLink,
  Site,
  SiteAdaptiveSchema,
  SiteProxyInput,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteTitle,
} from '../schemas/sites.ts';
import { list, operation } from './define.ts';

const SITES = 'Sites';
const SECTIONS = 'Site sections';
const GROUPS = 'Site section groups';
const SPACES = 'Site spaces';
const LINKS = 'Site share links';
const sites = '/v1/orgs/{organizationId}/sites';
const site = '/v1/orgs/{organizationId}/sites/{siteId}';
const section = '/v1/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}';
const group = '/v1/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}';
const siteSpace = '/v1/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}';
const shareLink = '/v1/orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}';

const Visibility = Type.Enum([...SITE_VISIBILITIES]);
const shareKey = { shareKey: Type.Optional(Type.String()) };
const pathField = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));
const condition = Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 1024 })));
const icon = Type.Optional(nullable(Type.String({ maxLength: 50 })));
const groupTitle = Type.String({ minLength: 1, maxLength: 100 });
const linkName = Type.String({ maxLength: 50 });

function moveBody<T extends TSchema>(reference: T) {
  return Type.Object({ position: Type.Optional(positionOf(reference)) });
}

export const siteOperations = {
  listSites: list(SITES, sites, {
    item: Site,
    query: { space: Type.Optional(Id), title: Type.Optional(Text), published: Type.Optional(Flag) },
  }),
  createSite: operation({
    section: SITES,
    method: 'POST',
    path: sites,
    body: Type.Object({
      type: Type.Optional(Type.Enum([...SITE_TYPES])),
      title: Type.Optional(SiteTitle),
      visibility: Type.Optional(Visibility),
      // The enum asks for a new space. Its values are those of the public reference platform.
      spaces: Type.Optional(Type.Union([Type.Array(Id), Type.Enum(['sample', 'empty'])])),
    }),
    bodyOptional: true,
    success: [201],
    response: Site,
  }),
  getSite: operation({
    section: SITES,
    method: 'GET',
    path: site,
    success: [200],
    statusFromReference: true,
    response: Site,
  }),
  deleteSite: operation({ section: SITES, method: 'DELETE', path: site, success: [205] }),
  updateSite: operation({
    section: SITES,
    method: 'PATCH',
    path: site,
    body: Type.Object({
      title: Type.Optional(SiteTitle),
      visibility: Type.Optional(Visibility),
      basename: pathField,
      adaptiveContent: Type.Optional(Type.Object({ enabled: Type.Optional(Flag) })),
      defaultSiteSpace: Type.Optional(Id),
      defaultSiteSection: Type.Optional(Id),
      proxy: Type.Optional(SiteProxyInput),
    }),
    success: [200],
    response: Site,
  }),
  getSiteAdaptiveSchema: operation({
    section: SITES,
    method: 'GET',
    path: `${site}/adaptive-schema`,
    success: [200],
    statusFromReference: true,
    response: SiteAdaptiveSchema,
  }),
  putSiteAdaptiveSchema: operation({
    section: SITES,
    method: 'PUT',
    path: `${site}/adaptive-schema`,
    // The document names the body field without a required mark.
    body: Type.Object({ jsonSchema: Type.Optional(AdaptiveJsonSchema) }),
    success: [200],
    statusFromReference: true,
    response: SiteAdaptiveSchema,
  }),
  getPublishedSite: operation({
    section: SITES,
    method: 'GET',
    path: `${site}/published`,
    query: Type.Object(shareKey),
    success: [200],
    statusFromReference: true,
    response: PublishedContentSite,
  }),
};

export const siteSectionOperations = {
  listSiteSections: list(SECTIONS, `${site}/sections`, { item: SiteSection, query: shareKey }),
  createSiteSection: operation({
    section: SECTIONS,
    method: 'POST',
    path: `${site}/sections`,
    body: Type.Object({ spaceId: Id, title: Type.Optional(Type.String({ maxLength: 64 })) }),
    success: [201],
    response: SiteSection,
  }),
  deleteSiteSection: operation({
    section: SECTIONS,
    method: 'DELETE',
    path: section,
    success: [205],
  }),
  updateSiteSection: operation({
    section: SECTIONS,
    method: 'PATCH',
    path: section,
    body: Type.Object({
      title: Type.Optional(SiteTitle),
      path: pathField,
      defaultSiteSpace: Type.Optional(Id),
      condition,
      icon,
      description: Type.Optional(nullable(Type.String({ maxLength: 256 }))),
    }),
    success: [200],
    response: SiteSection,
  }),
  moveSiteSection: operation({
    section: SECTIONS,
    method: 'POST',
    path: `${section}/move`,
    body: moveBody(pointer('site-section', { siteSection: Id })),
    success: [200],
    statusFromReference: true,
    response: SiteSection,
  }),
  listSiteSectionGroups: list(GROUPS, `${site}/section-groups`, { item: SiteSectionGroup }),
  createSiteSectionGroup: operation({
    section: GROUPS,
    method: 'POST',
    path: `${site}/section-groups`,
    body: Type.Object({ title: groupTitle, icon, sections: Type.Optional(Type.Array(Id)) }),
    success: [201],
    response: SiteSectionGroup,
  }),
  deleteSiteSectionGroup: operation({
    section: GROUPS,
    method: 'DELETE',
    path: group,
    success: [205],
  }),
  updateSiteSectionGroup: operation({
    section: GROUPS,
    method: 'PATCH',
    path: group,
    body: Type.Object({ title: Type.Optional(groupTitle), icon }),
    success: [200],
    response: SiteSectionGroup,
  }),
  addSectionToGroup: operation({
    section: GROUPS,
    method: 'POST',
    path: `${group}/sections`,
    body: Type.Object({ sectionId: Id }),
    success: [201],
    response: SiteSectionGroup,
  }),
  removeSectionFromGroup: operation({
    section: GROUPS,
    method: 'DELETE',
    path: `${group}/sections/{siteSectionId}`,
    success: [205],
  }),
  moveSiteSectionGroup: operation({
    section: GROUPS,
    method: 'POST',
    path: `${group}/move`,
    // The API document shows the first type of pointer, the public reference platform takes the second too.
    body: moveBody(Type.Object({ type: Type.Enum(['site-section', 'site-section-group']), id: Id })),
    success: [200],
    statusFromReference: true,
    response: SiteSectionGroup,
  }),
};

export const siteSpaceOperations = {
  listSiteSpaces: list(SPACES, `${site}/site-spaces`, {
    item: SiteSpace,
    query: { ...shareKey, default: Type.Optional(Flag) },
  }),
  createSiteSpace: operation({
    section: SPACES,
    method: 'POST',
    path: `${site}/site-spaces`,
    body: Type.Object({ spaceId: Id, sectionId: Type.Optional(Id) }),
    success: [201],
    response: SiteSpace,
  }),
  deleteSiteSpace: operation({
    section: SPACES,
    method: 'DELETE',
    path: siteSpace,
    success: [205],
  }),
  updateSiteSpace: operation({
    section: SPACES,
    method: 'PATCH',
    path: siteSpace,
    body: Type.Object({ path: pathField, condition }),
    success: [200],
    response: SiteSpace,
  }),
  moveSiteSpace: operation({
    section: SPACES,
    method: 'POST',
    path: `${siteSpace}/move`,
    body: moveBody(pointer('site-space', { siteSpace: Id })),
    success: [200],
    statusFromReference: true,
    response: SiteSpace,
  }),
  listShareLinks: list(LINKS, `${site}/share-links`, { item: ShareLink }),
  createShareLink: operation({
    section: LINKS,
    method: 'POST',
    path: `${site}/share-links`,
    body: Type.Object({ name: linkName }),
    success: [201],
    response: ShareLink,
  }),
  deleteShareLink: operation({ section: LINKS, method: 'DELETE', path: shareLink, success: [205] }),
  updateShareLink: operation({
    section: LINKS,
    method: 'PATCH',
    path: shareLink,
    body: Type.Object({ active: Type.Optional(Flag), name: Type.Optional(linkName) }),
    success: [200],
    response: ShareLink,
  }),
};
