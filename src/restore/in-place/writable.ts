// What of an object can be set: its values in the terms of the operation that writes them, so that two states of it can be compared
// and what differs can be sent as it is.
import { canonicalJson, isRecord, sha256 } from '../../base/index.ts';
import { kindOf, bodyFields, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { withMentions } from '../special/mentions.ts';
import { proxyOf } from '../special/site-proxy.ts';
import { commentText, emojiIn, idAt, textAt, type Body } from '../resource.ts';

type Reader = (body: Body) => unknown;

/** Fields that do not stand in the body under the name that the operation takes. */
const ELSEWHERE: Readonly<Partial<Record<KindName, Readonly<Record<string, Reader>>>>> = {
  organization: { logo: ({ urls }) => (isRecord(urls) ? textAt(urls, 'logo') : undefined) },
  'saml-provider': { defaultTeam: ({ defaultTeam }) => idAt(defaultTeam) },
  'openapi-spec': {
    source: ({ sourceURL }) => (typeof sourceURL === 'string' ? { url: sourceURL } : undefined),
  },
  site: {
    proxy: proxyOf,
    adaptiveContent: ({ adaptiveContent }) =>
      isRecord(adaptiveContent) ? { enabled: adaptiveContent['enabled'] === true } : undefined,
  },
  comment: postFields(),
  'comment-reply': postFields(),
  'change-request-comment': postFields(),
  'change-request-comment-reply': postFields(),
};

function postFields(): Readonly<Record<string, Reader>> {
  return {
    body: (body) => {
      const markdown = commentText(body);
      // Whether a mention calls somebody is no difference: an earlier restore may have defused it.
      return markdown === null ? undefined : { markdown: withMentions(markdown) };
    },
    resolved: ({ status }) => status === 'resolved',
    addedReactions: (body) => emojiIn(body).toSorted((a, b) => a.localeCompare(b)),
  };
}

/** Set by steps of their own, since they name what may have to be made first; or only the other half of another field. */
const BY_THEMSELVES: ReadonlySet<string> = new Set([
  'defaultSiteSpace',
  'defaultSiteSection',
  'defaultContent',
  'removedReactions',
  'values',
]);

/** The fields of a kind that an operation sets, by name. */
export function writableFields(kind: KindName): string[] {
  return Object.keys(propertiesOf(kind)).filter((field) => !BY_THEMSELVES.has(field));
}

function propertiesOf(kind: KindName): Readonly<Record<string, unknown>> {
  const { update } = kindOf(kind);
  return update === undefined ? {} : bodyFields(update);
}

/** What the operation takes for "no value" in a field: null or an empty text; undefined when it takes neither. */
export function noValue(kind: KindName, field: string): null | '' | undefined {
  const schema = propertiesOf(kind)[field];
  if (!isRecord(schema)) return undefined;
  const choices: unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema];
  if (choices.some((one) => isRecord(one) && one['type'] === 'null')) return null;
  const isFree = (one: unknown): boolean =>
    isRecord(one) &&
    one['type'] === 'string' &&
    ['minLength', 'pattern', 'format', 'const'].every((bound) => !(bound in one));
  return choices.some(isFree) ? '' : undefined;
}

/** The values of those fields; null for one that has none. */
export function writableValues({ kind, body }: Pick<Resource, 'kind' | 'body'>): Body {
  const elsewhere = ELSEWHERE[kind] ?? {};
  const entries = writableFields(kind).map((field) => [field, elsewhere[field]?.(body) ?? body[field] ?? null]);
  return Object.fromEntries(entries) as Body;
}

/**
 * Hash of all that can be set in an object: another one means that somebody touched it. Where it stands is set by itself.
 * @param instead Values that count in place of those it has.
 */
export function seenState(resource: Pick<Resource, 'kind' | 'body'>, instead: Body = {}): string {
  return sha256(canonicalJson({ ...writableValues(resource), ...instead }));
}

/** The same, and where it stands: what is to go must not even have been moved. */
export function seenWhere(resource: Pick<Resource, 'kind' | 'body'>): string {
  return sha256(canonicalJson({ ...writableValues(resource), parent: resource.body['parent'] ?? null }));
}
