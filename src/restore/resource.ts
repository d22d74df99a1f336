// Reading fields of resources whose bodies are kept as the platform sent them.
import { compareTimes, isRecord, valueAt } from '../base/index.ts';
import { NAMED_AT, type KindName } from '../contract/index.ts';
import type { Resource } from '../mirror/index.ts';

/** The key of what something stands in: its own without the last id. */
export function keyAbove(key: string): string {
  return key.slice(0, key.lastIndexOf('/'));
}

/** The id alone that a key ends with. */
export function lastOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** The id that a key begins with: of what stands in a space, that of the space. */
export function firstOf(key: string): string {
  return key.split('/')[0] ?? '';
}

/** The id of the space that something stands in, or is itself; empty for what stands in none. */
export function spaceOf({ params }: Pick<Resource, 'params'>): string {
  return params['spaceId'] ?? '';
}

export type Body = Readonly<Record<string, unknown>>;

/** A text field; undefined when it holds anything else, and where nothing holds it. */
export function textAt(body: Body | undefined, field: string): string | undefined {
  const value = body?.[field];
  return typeof value === 'string' ? value : undefined;
}

/** No operation takes a text away: an empty one says the same. */
export function asSaid(value: unknown): unknown {
  return value === undefined || value === '' ? null : value;
}

/** True for a space that lies in the bin, where it still answers. */
export function isInBin(space: Body): boolean {
  return textAt(space, 'deletedAt') !== undefined;
}

/** False for a custom field without a value in a space: one platform says so, and another nothing. */
export function hasValue({ body }: Pick<Resource, 'body'>): boolean {
  return (body['value'] ?? null) !== null;
}

/** When a page was last edited, as the platform tells it; empty where it does not, as for one that was only made. */
export function lastEdit(page: Body): string {
  return textAt(page, 'updatedAt') ?? '';
}

/** The id in a reference `{object, id}`. */
export function idAt(reference: unknown): string | undefined {
  return isRecord(reference) ? textAt(reference, 'id') : undefined;
}

/** The ids in a list of references. */
export function idsAt(references: unknown): string[] {
  return (Array.isArray(references) ? references : []).map(idAt).filter((id) => id !== undefined);
}

/** What people call it. */
export function titleOf({ body, id }: Pick<Resource, 'body' | 'id'>): string {
  const named = NAMED_AT.map((path) => valueAt(body, path));
  return named.find((one) => typeof one === 'string') ?? firstWords(body) ?? id;
}

/** A kind as people read it. */
export function kindWords(kind: KindName): string {
  return kind.replaceAll('-', ' ');
}

/** Its kind and what people call it. */
export function nameInWords(one: Pick<Resource, 'kind' | 'body' | 'id'>): string {
  return `${kindWords(one.kind)} ${titleOf(one)}`;
}

const SHOWN_LETTERS = 50;

/** The Markdown of a comment as the platform sent it; null for what has none. */
export function commentText({ body }: Body): string | null {
  return isRecord(body) ? (textAt(body, 'markdown') ?? null) : null;
}

/** What people reacted with to a comment. */
export function emojiIn({ reactions }: Body): string[] {
  return (Array.isArray(reactions) ? reactions : []).filter(isRecord).map(({ emoji }) => String(emoji));
}

/** What a comment begins with. */
function firstWords(body: Body): string | undefined {
  const line = commentText(body)?.replaceAll(/\s+/g, ' ').trim();
  if (line === undefined || line === '') return undefined;
  return line.length > SHOWN_LETTERS ? `${line.slice(0, SHOWN_LETTERS)}…` : line;
}

// Of a role, null is a value: a guest.
const SAID_BY_NULL: ReadonlySet<string> = new Set(['defaultRole', 'role', 'defaultLevel']);

/** False where a platform says nothing of a field, be it by null. */
export function isSaid(body: Body, field: string): boolean {
  return body[field] !== undefined && (body[field] !== null || SAID_BY_NULL.has(field));
}

/** The same fields out of a body, as an operation takes them; those that are not there are left out, null as some platforms say it. */
export function fieldsOut<T>(body: Body, fields: readonly (keyof T & string)[]): Partial<T> {
  return Object.fromEntries(
    fields.filter((field) => isSaid(body, field)).map((field) => [field, body[field]]),
  ) as Partial<T>;
}

/** Siblings in the order in which the listings showed them, as far as the mirror knows it: by position, else by first sight. */
export function inOrder(resources: Iterable<Resource>): Resource[] {
  return [...resources].toSorted((a, b) => placeOf(a) - placeOf(b) || a.rid - b.rid);
}

/** Spaces are found by many routes, so first sight tells nothing of their order; without a position the oldest comes first. */
export function spacesInOrder(spaces: Iterable<Resource>): Resource[] {
  const madeAt = ({ body }: Resource): string => textAt(body, 'createdAt') ?? '';
  return [...spaces].toSorted(
    (a, b) => placeOf(a) - placeOf(b) || compareTimes(madeAt(a), madeAt(b)) || a.key.localeCompare(b.key),
  );
}

function placeOf({ position }: Resource): number {
  return position ?? Number.MAX_SAFE_INTEGER;
}
