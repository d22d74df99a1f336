// Which kinds this program writes back, and what a restore must know of each that the contract does not say.
import { childKinds, kindNames, type KindName } from '../contract/index.ts';
import type { Right } from './plan/plan-types.ts';

interface Restored {
  /** What the token must be allowed on the target organization to write it; null where what it stands in has asked for that. */
  readonly right: Right | null;
  /** People miss it by itself: all else goes and comes with such. */
  readonly missed: boolean;
  /** One whose making was cut off, so that nobody noted its id, is known again by its title alone. */
  readonly knownByTitle: boolean;
}

const part: Restored = { right: null, missed: false, knownByTitle: false };
const content: Restored = { ...part, right: 'createContent' };
const admin: Restored = { ...part, right: 'admin' };

/** In the order in which people are told what they miss. */
const RESTORED = {
  collection: { right: 'createContent', missed: true, knownByTitle: true },
  space: { right: 'createContent', missed: true, knownByTitle: true },
  revision: content,
  page: { ...part, missed: true },
  file: { ...part, missed: true },
  'custom-field-value': content,
  site: { right: 'admin', missed: true, knownByTitle: true },
  'site-section': { ...admin, knownByTitle: true },
  'site-section-group': { ...admin, knownByTitle: true },
  'site-space': admin,
  'share-link': { ...admin, knownByTitle: true },
  'site-adaptive-schema': admin,
  organization: admin,
  member: admin,
  team: { right: 'admin', missed: true, knownByTitle: true },
  'team-membership': part,
  'saml-provider': { ...admin, knownByTitle: true },
  'openapi-spec': { ...part, right: 'createOpenAPISpec', missed: true },
  'custom-field': { ...content, missed: true },
  'translation-settings': { ...content, knownByTitle: true },
  'change-request': { ...content, missed: true },
  'change-request-revision': content,
  'change-request-page': part,
  'change-request-file': part,
  comment: { ...part, missed: true },
  'comment-reply': part,
  'change-request-comment': part,
  'change-request-comment-reply': part,
} as const satisfies Readonly<Partial<Record<KindName, Restored>>>;

export type RestoredKind = keyof typeof RESTORED;

const named = Object.keys(RESTORED) as RestoredKind[];

export function isRestored(kind: KindName): kind is RestoredKind {
  return Object.hasOwn(RESTORED, kind);
}

/** In the order of the walk. */
export const RESTORED_KINDS = kindNames.filter(isRestored);

/** Kinds that are restored by themselves, right below the organization. */
export const OWN_KINDS: readonly KindName[] = childKinds('organization').filter(isRestored);

/** What stands in an organization, without what is inside spaces and sites. */
export const OUTLINE_KINDS: readonly KindName[] = ['organization', ...OWN_KINDS];

/** What people miss by itself. */
export const MISSED_KINDS: readonly KindName[] = named.filter((kind) => RESTORED[kind].missed);

/** What is known again by its title alone. */
export const TITLED_KINDS: readonly KindName[] = named.filter((kind) => RESTORED[kind].knownByTitle);

/** What the token must be allowed on the target organization to write one; undefined where nothing of the organization's is asked. */
export function rightFor(kind: KindName): Right | undefined {
  return isRestored(kind) ? (RESTORED[kind].right ?? undefined) : undefined;
}
