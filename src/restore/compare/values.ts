// What is compared of a resource: its fields, with every id of the original replaced by the restored one.
import { isRecord } from '../../base/index.ts';
import { isComment, isPage, kindOf, PAGE_FLAGS, typeNameOf, type KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { creditOf, readCredit, withoutCredit } from '../special/credit.ts';
import { type IdMap, leadingWithin, withinOf } from '../journal/id-map.ts';
import { isReference, leadingOf } from '../links/link-pages.ts';
import { mapLinks, withoutOwnSpace, type Stays } from '../links/links.ts';
import { withMentions } from '../special/mentions.ts';
import { isTitleAlone } from '../special/page-fields.ts';
import { withoutScheme } from '../special/site-proxy.ts';
import { commentText, spaceOf, textAt } from '../resource.ts';

export type Values = Readonly<Record<string, unknown>>;
type NewId = (kind: KindName, id: string) => string;

/** Values of an original, as they should stand on the target. */
export function wantedValues(resource: Resource, ids: IdMap): Values {
  return valuesOf(resource, wantedSide(resource, ids));
}

/** The text of a page among them. @param stays Which links are to stay as they stand. */
export function wantedText(page: Resource, ids: IdMap, stays: Stays): string | null {
  return markdownOf(page, wantedSide(page, ids, stays));
}

function wantedSide(resource: Resource, ids: IdMap, stays?: Stays): Side {
  const leading = leadingWithin(ids, withinOf(resource));
  const newId: NewId = (kind, id) =>
    (kind === 'change-request-page' ? leading.ids : ids).byId(kind, id, containerOf(kind, resource.params)) ?? id;
  return { newId, text: (markdown) => mapLinks(markdown, leading, stays), original: true };
}

/** The key of what holds a resource that another one in the same container names: its id may be known there alone. */
function containerOf(kind: KindName, params: Resource['params']): string | null {
  const names = kindOf(kind).params.slice(0, -1);
  return names.length > 0 && names.every((name) => name in params) ? names.map((name) => params[name]).join('/') : null;
}

/** Values of a resource as they stand on the target. @param isOriginal It was not made by a restore, but stood there before. */
export function foundValues(resource: Resource, isOriginal: boolean): Values {
  return valuesOf(resource, { newId: (_kind, id) => id, text: (markdown) => markdown, original: isOriginal });
}

interface Side {
  readonly newId: NewId;
  readonly text: (markdown: string) => string;
  readonly original: boolean;
}

function valuesOf(resource: Resource, side: Side): Values {
  const object = typeNameOf(resource.kind);
  // A platform may leave out what each resource of the kind says.
  const values: Record<string, unknown> = { ...(object === undefined ? {} : { object }), ...resource.body };
  const { refs = {}, embeds = {}, recovery = {} } = kindOf(resource.kind);
  for (const [path, kind] of Object.entries(refs)) replaceAt(values, path.split('.'), asRef(kind, side));
  for (const [field, kind] of Object.entries(embeds)) {
    if (values[field] !== undefined) values[field] = newReference(values[field], asRef(kind, side));
  }
  // Parts of a field that the ledger calls lost are left out of the rest of it.
  for (const [path, { as }] of Object.entries(recovery)) {
    if (path.includes('.') && as === 'lost') replaceAt(values, path.split('.'), () => undefined);
  }
  if (resource.kind === 'site') replaceAt(values, ['proxy', 'target'], withoutScheme);
  return Object.assign(values, besideFields(resource, side));
}

type NewRef = (id: string) => string;

function asRef(kind: string, { newId }: Side): NewRef {
  return (id) => newId(kind as KindName, id);
}

/** A reference `{object, id}`, or a list of them, with the restored ids. Its kind is that of the field, whether or not a platform says so. */
function newReference(value: unknown, to: NewRef): unknown {
  if (Array.isArray(value)) return value.map((one) => newReference(one, to));
  if (!isRecord(value) || typeof value['id'] !== 'string') return value;
  const { object: _kind, ...reference } = value;
  return { ...reference, id: to(value['id']) };
}

/** What is no field of the API document, or is kept apart from the others. */
function besideFields(resource: Resource, side: Side): Values {
  const { kind, body, object } = resource;
  if (kind === 'organization') return { logo: isRecord(body['urls']) ? (body['urls']['logo'] ?? null) : null };
  if (isPage(kind)) {
    return {
      ...flagsOf(body),
      ...(body['type'] === 'link' ? leadingValues(resource, side) : {}),
      markdown: markdownOf(resource, side),
      parent: resource.parent === null ? null : side.newId(kind, resource.parent),
      position: resource.position,
    };
  }
  // Which version it is says nothing: the target makes its own of the same source.
  if (kind === 'openapi-spec') return { text: textAt(body, 'lastVersion') === undefined ? null : 'there' };
  if (isComment(kind)) return commentValues(resource, side);
  // The bytes tell how many they are, where the platform does not.
  return object === null ? {} : { sha256: object.sha256, size: body['size'] ?? object.size };
}

/**
 * Pages that only the change request has get their ids with its import. Links to them lead from file to file in it, and so name no space
 * afterwards.
 */
function markdownOf({ kind, text, body, params: { spaceId } }: Resource, side: Side): string | null {
  // A computed page without anything to be computed from is read as its title alone, and comes back as a page without a text.
  const isEmpty = text === null || isTitleAlone(text, body);
  // Where lines end is no part of what they say, and an import may write each end its own way.
  const markdown = isEmpty ? null : side.text(text).replaceAll(/\r\n?/g, '\n');
  if (markdown === null || kind === 'page' || spaceId === undefined) return markdown;
  return withoutOwnSpace(markdown, side.newId('space', spaceId));
}

/** An address is said twice of a link page, and by some platforms once. */
function leadingValues(page: Resource, side: Side): Values {
  if (isReference(page)) return { target: newTarget(page, side) };
  const { href } = leadingOf(page.body);
  return href === null ? {} : { href, target: { kind: 'url', url: href } };
}

/** What a link page refers to, with the restored ids. A space that is its own need not be named. */
function newTarget(page: Resource, { newId }: Side): unknown {
  const { target } = page.body;
  if (!isRecord(target)) return target;
  const own = newId('space', spaceOf(page));
  const changed = Object.entries(target).map(([field, id]) => [
    field,
    typeof id === 'string' && REFERRED.has(field) ? newId(field as KindName, id) : id,
  ]);
  return Object.fromEntries(
    changed.filter(([field, id]) => target['kind'] === 'space' || field !== 'space' || id !== own),
  );
}

const REFERRED: ReadonlySet<string> = new Set(['page', 'space', 'file', 'collection']);

/** A flag that is off says what one says that nobody ever set, as of link pages: the operation that switches it off cannot take it away. */
function flagsOf(body: Resource['body']): Values {
  return Object.fromEntries(PAGE_FLAGS.filter((flag) => body[flag] === undefined).map((flag) => [flag, false]));
}

/** Replaces the text at a path; the objects on the way are copied, not changed. */
function replaceAt(
  values: Record<string, unknown>,
  [step = '', ...rest]: string[],
  to: (text: string) => string | undefined,
): void {
  const value = values[step];
  if (rest.length === 0) {
    if (typeof value === 'string') values[step] = to(value);
  } else if (isRecord(value)) {
    const copy = { ...value };
    values[step] = copy;
    replaceAt(copy, rest, to);
  }
}

function commentValues(resource: Resource, { text, newId, original }: Side): Values {
  const { reactions, target } = resource.body;
  const page = isRecord(target) && isRecord(target['page']) ? target['page']['id'] : undefined;
  const emoji = (Array.isArray(reactions) ? reactions : []).filter(isRecord).map((one) => JSON.stringify(one['emoji']));
  const sent = text(commentText(resource.body) ?? '');
  // Of what a restore made the credit line speaks for the author; the poster is the account that restored.
  const credit = original ? creditOf(resource.body) : readCredit(sent);
  return {
    postedBy: credit?.author ?? null,
    postedAt: credit?.at ?? null,
    body: withMentions(original ? sent : withoutCredit(sent)),
    reactions: emoji.toSorted((a, b) => a.localeCompare(b)),
    ...(target === undefined ? {} : { target: typeof page === 'string' ? newId('page', page) : null }),
  };
}
