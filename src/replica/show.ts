// A resource as the API shows it: what the mirror keeps as a reference is put back in its place.
import { isRecord } from '../base/index.ts';
import { kindOf, ownParameter, type KindName } from '../contract/index.ts';
import { keyOf, type Resource } from '../mirror/index.ts';
import type { View } from './view.ts';

export type Body = Readonly<Record<string, unknown>>;

/** The body with every embedded resource whole again. */
export function show(view: View, resource: Resource): Body {
  const { kind } = resource;
  const params = { ...organizationOf(view, resource), ...resource.params };
  const { embeds = {}, cut } = kindOf(kind);
  const body: Record<string, unknown> = { ...resource.body };
  for (const [field, embedded] of Object.entries(embeds)) {
    if (body[field] === undefined) continue;
    body[field] = embed(view, body[field], { kind: embedded as KindName, params });
  }
  return cut === undefined ? body : (wholeAgain(view, body, params) as Body);
}

/** What stands in a space is known by that; what it embeds may be known by the organization. */
function organizationOf({ reader }: View, { params }: Resource): { organizationId?: string } {
  const { spaceId, organizationId } = params;
  if (organizationId !== undefined || spaceId === undefined) return {};
  const organization = reader.one('space', spaceId)?.body['organization'];
  return typeof organization === 'string' ? { organizationId: organization } : {};
}

interface Embedded {
  readonly kind: KindName;
  /** Of what holds it: the beginning of the key of what it holds. */
  readonly params: Readonly<Record<string, string>>;
}

function embed(view: View, value: unknown, embedded: Embedded): unknown {
  if (Array.isArray(value)) return value.map((one) => embed(view, one, embedded));
  const id = isRecord(value) ? value['id'] : undefined;
  return typeof id === 'string' ? (byReference(view, embedded, id) ?? value) : value;
}

/** The resource that a reference names; undefined for what the mirror does not hold. */
function byReference(view: View, { kind, params }: Embedded, id: string): Body | undefined {
  const key = keyOf(kind, { ...params, [ownParameter(kind)]: id });
  const found = view.reader.one(kind, key) ?? byOwnId(view, kind, { key, id });
  return found && show(view, found);
}

/** Where the key is a name, an id leads to it only by looking. */
function byOwnId({ reader }: View, kind: KindName, { key, id }: { key: string; id: string }): Resource | undefined {
  const within = key.slice(0, key.lastIndexOf('/'));
  if (kindOf(kind).id === 'id' || within === '') return undefined;
  for (const one of reader.resources(kind, within)) if (one.body['id'] === id) return one;
  return undefined;
}

/** Kinds by the `object` of their resources, as they are cut out of larger answers. */
const OBJECTS: Readonly<Record<string, KindName>> = {
  organization: 'organization',
  space: 'space',
  site: 'site',
  'site-space': 'site-space',
  'site-section': 'site-section',
  'site-section-group': 'site-section-group',
  'change-request': 'change-request',
};

/** What others are shown with. */
export const EMBEDDED: ReadonlySet<KindName> = new Set(Object.values(OBJECTS));

function wholeAgain(view: View, value: unknown, params: Embedded['params']): unknown {
  if (Array.isArray(value)) return value.map((one) => wholeAgain(view, one, params));
  if (!isRecord(value)) return value;
  const { object, id } = value;
  const kind = typeof object === 'string' && Object.hasOwn(OBJECTS, object) ? OBJECTS[object] : undefined;
  if (kind !== undefined && typeof id === 'string' && Object.keys(value).length === 2)
    return byReference(view, { kind, params }, id) ?? value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, wholeAgain(view, inner, params)]));
}
