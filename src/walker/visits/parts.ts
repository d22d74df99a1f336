// Taking an answer apart: what is kept as a resource of its own leaves a reference behind.
import { canonicalJson, isRecord, sha256, valueAt } from '../../base/index.ts';
import { LargeList } from '../../client/index.ts';
import { isPathValue, KEPT_APART, kindOf, requiredFieldsOf, type KindName } from '../../contract/index.ts';
import { withoutSignature } from '../../mirror/index.ts';
import { Gathered, type Items } from '../gathered.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Some platforms say null where others leave a field out. */
export function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * The id to give to a resource that has none: what it says, without its state, and how often that was said before. Of what it embeds the id
 * counts alone: a link is the same one after its page was edited.
 */
export function madeId(kind: KindName, body: Body, taken: Map<string, number>): string {
  const { status: _state, ...rest } = keptBody(kind, body);
  const said = sha256(canonicalJson(namedById(rest))).slice(0, MADE_ID_LENGTH);
  const before = taken.get(said) ?? 0;
  taken.set(said, before + 1);
  return before === 0 ? said : `${said}-${before + 1}`;
}

function namedById(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namedById);
  if (!isRecord(value)) return value;
  if (typeof value['id'] === 'string') return referenceTo(value);
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, namedById(one)]));
}

const MADE_ID_LENGTH = 24;
// Servers refuse addresses of some thousand characters, and several ids may stand in one.
export const LONGEST_ID = 500;
// An address with a signature that expires; without it, it is the same on every night.
const SIGNED = 'downloadURL';

/** The id of a resource in its body; undefined when there is none, or none by which it can be asked for and told from others. */
export function idIn(kind: KindName, body: Body): string | undefined {
  const field = kindOf(kind).id;
  const id = field === null ? undefined : valueAt(body, field);
  return isPathValue(id) && id.length <= LONGEST_ID && !id.includes('/') ? id : undefined;
}

/** What is shown twice in the place where it came first, as it was shown last: taken in twice, it would change on every night. */
export function eachOnce(kind: KindName, items: Items): Items {
  // Without ids each is one of its own.
  if (kindOf(kind).id === null) return items;
  const shown = new Set<string>();
  const repeated = new Map<string, Body>();
  for (const body of items) {
    const id = idIn(kind, body);
    if (id !== undefined && shown.has(id)) repeated.set(id, body);
    else if (id !== undefined) shown.add(id);
  }
  return repeated.size === 0 ? items : eachAtFirst(kind, items, repeated);
}

/** @param repeated As what is shown several times was shown last, by its id. */
function eachAtFirst(kind: KindName, items: Items, repeated: ReadonlyMap<string, Body>): Items {
  const each = new Gathered();
  const taken = new Set<string>();
  for (const body of items) {
    const id = idIn(kind, body) ?? '';
    const last = repeated.get(id);
    if (!taken.has(id)) each.add([last ?? body]);
    if (last !== undefined) taken.add(id);
  }
  return each.items();
}

/** False for an answer that is of another kind altogether, such as what went wrong: it has nothing that every one of the kind has. */
export function isOfKind(kind: KindName, body: Body): boolean {
  const isError = body['error'] !== undefined && Object.keys(body).length === 1;
  const required = requiredFieldsOf(kind);
  return !isError && (required.length === 0 || required.some((field) => body[field] !== undefined));
}

/**
 * The body to keep: whole resources embedded in it become `{object, id}`, text that is kept apart and lists of parts go.
 * Addresses of bytes lose their signature.
 */
export function keptBody(kind: KindName, body: Body): Body {
  const shape = kindOf(kind);
  const kept: Record<string, unknown> = shape.cut ? cutFields(body, new Set(shape.cut)) : { ...body };
  for (const [field, embedded] of Object.entries(shape.embeds ?? {})) {
    if (kept[field] === undefined) continue;
    if ((Array.isArray(kept[field]) || kept[field] instanceof LargeList) && isPartOf(embedded, kind))
      delete kept[field];
    else kept[field] = referenceTo(kept[field]);
  }
  if (shape.text) for (const field of Object.keys(KEPT_APART)) delete kept[field];
  for (const field of shape.signs ?? []) if (field in kept) kept[field] = withoutSignature(kept[field]);
  for (const field of [shape.bytes, ...(shape.volatile ?? [])]) {
    const value = field === undefined ? undefined : kept[field];
    if (field !== undefined && typeof value === 'string') kept[field] = withoutQuery(value);
  }
  return kept;
}

function cutFields(body: Body, types: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      field === SIGNED && typeof value === 'string' ? withoutQuery(value) : cutNested(value, types),
    ]),
  );
}

function cutNested(value: unknown, types: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => cutNested(one, types));
  if (!isRecord(value)) return value;
  return types.has(String(value['object'])) ? referenceTo(value) : cutFields(value, types);
}

function isPartOf(embedded: string, kind: KindName): boolean {
  const { read, parent } = kindOf(embedded as KindName);
  return read.from === 'part' && (parent === kind || embedded === 'reusable-content');
}

function referenceTo(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referenceTo);
  if (!isRecord(value)) return value;
  const id = value['id'];
  return id === undefined ? value : { ...(value['object'] === undefined ? {} : { object: value['object'] }), id };
}

function withoutQuery(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? '';
}
