// Docs sites. Source: the API document, "Site" to "PublishedContentSite"; enums that it leaves open are those of the public reference platform.
import Type from 'typebox';
import { Count, DateTime, Flag, Id, LightDark, MemberName, Text, entity, nullable, partial } from './common.ts';
import { Space } from './containers.ts';

export const SITE_TYPES = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
export const SITE_VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;

const SiteIcon = Type.Union([
  Type.Object({ icon: LightDark }),
  Type.Object({ emoji: Text }),
  Type.Object({}),
  Type.Null(),
]);

const AdsTopic = Type.Enum(['webdev', 'crypto']);
const SiteAds = Type.Union([
  Type.Object({ status: Type.Literal('pending'), submittable: Flag }),
  Type.Object({ status: Type.Literal('in-review'), topic: AdsTopic }),
  Type.Object({ status: Type.Literal('rejected'), reason: Type.Optional(Text) }),
  Type.Object({ status: Type.Enum(['live', 'disabled']), topic: AdsTopic, zoneId: Text }),
]);

const SITE_PROXY_PATTERN = '^([\\w-]+\\.)*[\\w-]+\\.[a-zA-Z]{2,}(\\/[\\w-]+)+$';

export const Site = entity('site', {
  id: Id,
  type: Type.Enum([...SITE_TYPES]),
  title: Type.String({ minLength: 2, maxLength: 128 }),
  icon: Type.Optional(SiteIcon),
  hostname: Type.Optional(
    Type.String({
      maxLength: 512,
      pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$',
    }),
  ),
  basename: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  proxy: Type.Optional(partial({ origin: Text, target: Text })),
  visibility: Type.Enum([...SITE_VISIBILITIES]),
  published: Flag,
  siteSpaces: Count,
  createdAt: DateTime,
  adaptiveContent: Type.Optional(partial({ enabled: Flag })),
  ads: Type.Optional(SiteAds),
  features: Type.Optional(
    Type.Array(Type.Object({ id: Text, plan: Type.Enum([...SITE_TYPES]), frozen: Type.Optional(Flag) })),
  ),
  urls: partial({ location: Text, app: Text, published: Text }),
});

export const SiteSpace = entity('site-space', {
  id: Id,
  path: Type.String({ minLength: 1, maxLength: 100 }),
  section: Type.Optional(Id),
  space: Space,
  title: Text,
  default: Type.Optional(Flag),
  condition: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  hasAdvancedCustomizationFeature: Type.Optional(Flag),
  urls: partial({ published: Text }),
});

export const SiteSection = entity('site-section', {
  id: Id,
  title: Type.String({ minLength: 2, maxLength: 128 }),
  description: Type.Optional(Type.String({ maxLength: 256 })),
  default: Type.Optional(Flag),
  path: Type.String({ minLength: 1, maxLength: 100 }),
  condition: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  sectionGroup: Type.Optional(Id),
  icon: Type.Optional(Type.String({ maxLength: 50 })),
  siteSpaces: Type.Array(SiteSpace),
  urls: partial({ published: Text }),
});

export const SiteSectionGroup = entity('site-section-group', {
  id: Id,
  title: Type.String({ minLength: 1, maxLength: 100 }),
  icon: Type.Optional(Type.String({ maxLength: 50 })),
  sections: Type.Array(SiteSection),
});

export const ShareLink = entity('share-link', {
  id: Id,
  createdAt: DateTime,
  name: Type.Optional(Type.String({ maxLength: 50 })),
  active: Type.Optional(Flag),
  urls: partial({ published: Text }),
});

const Claim = Type.Object({ type: Type.Literal('boolean'), description: Type.Optional(Text) });

/** A JSON Schema (draft-07) of visitor claims. */
export const AdaptiveJsonSchema = Type.Object({
  $schema: Type.Optional(Text),
  $id: Type.Optional(Text),
  type: Type.Literal('object'),
  properties: Type.Record(
    MemberName,
    Type.Union([
      Claim,
      Type.Object({
        type: Type.Literal('object'),
        description: Type.Optional(Text),
        properties: Type.Record(MemberName, Claim),
        additionalProperties: Type.Literal(false),
      }),
    ]),
  ),
  additionalProperties: Type.Literal(false),
});

export const SiteAdaptiveSchema = entity('site-adaptive-schema', {
  jsonSchema: AdaptiveJsonSchema,
  updatedAt: Type.Optional(DateTime),
});

const Theme = Type.Enum(['clean', 'muted', 'bold', 'gradient']);
const SiteCustomization = partial({
  title: Text,
  styling: partial({
    theme: Theme,
    primaryColor: LightDark,
    tint: partial({ color: LightDark }),
    infoColor: LightDark,
    successColor: LightDark,
    warningColor: LightDark,
    dangerColor: LightDark,
    corners: Type.Enum(['straight', 'rounded', 'circular']),
    links: Type.Enum(['default', 'accent']),
    font: Type.Union([Text, Type.Record(Type.String(), Type.Unknown())]),
    icons: Type.Enum(['regular', 'solid', 'duotone', 'light', 'thin']),
    sidebar: partial({
      background: Type.Enum(['default', 'filled']),
      list: Type.Enum(['default', 'pill', 'line']),
    }),
    search: Type.Enum(['prominent', 'subtle']),
  }),
  internationalization: partial({ locale: Text }),
  favicon: partial({ icon: LightDark }),
  header: partial({ logo: LightDark, links: Type.Array(Type.Unknown()) }),
});

export const PublishedContentSite = entity('published-content-site', {
  site: Site,
  structure: Type.Union([
    Type.Object({
      type: Type.Literal('sections'),
      structure: Type.Array(Type.Union([SiteSection, SiteSectionGroup])),
    }),
    Type.Object({ type: Type.Literal('siteSpaces'), structure: Type.Array(SiteSpace) }),
  ]),
  customizations: partial({
    site: SiteCustomization,
    siteSpaces: Type.Record(Type.String(), SiteCustomization),
  }),
  scripts: Type.Optional(Type.Array(Type.Unknown())),
});

/** Body fields of a site's creation and update, shared by operations. */
export const SiteTitle = Type.String({ minLength: 2, maxLength: 128 });
export const SiteProxyInput = nullable(Type.String({ maxLength: 512, pattern: SITE_PROXY_PATTERN }));
