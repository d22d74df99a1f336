import { changeRequestKinds } from './change-requests.ts';
import { commentKinds } from './comments.ts';
import { containerKinds } from './containers.ts';
import { contentKinds } from './content.ts';
import type { KindShape } from './define.ts';
import { organizationKinds } from './organization.ts';
import { operationOf, type AnyOperationName } from '../operations/index.ts';
import { siteKinds } from './sites.ts';

/** Every resource kind, parents before children. */
export const kinds = {
  organization: organizationKinds.organization,
  member: organizationKinds.member,
  team: organizationKinds.team,
  'saml-provider': organizationKinds['saml-provider'],
  invite: organizationKinds.invite,
  'custom-field': organizationKinds['custom-field'],
  'openapi-spec': organizationKinds['openapi-spec'],
  'openapi-spec-version': organizationKinds['openapi-spec-version'],
  'openapi-spec-content': organizationKinds['openapi-spec-content'],
  'translation-settings': organizationKinds['translation-settings'],
  collection: containerKinds.collection,
  space: containerKinds.space,
  ...contentKinds,
  ...changeRequestKinds,
  ...commentKinds,
  'custom-field-value': containerKinds['custom-field-value'],
  ...siteKinds,
  'team-membership': organizationKinds['team-membership'],
  'space-member': organizationKinds['space-member'],
} as const satisfies Record<string, KindShape>;

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as KindName[];

/** Comments and replies: what platforms send mail about when it is written. */
export const COMMENT_KINDS: readonly KindName[] = kindNames.filter(isComment);

export function isComment(kind: KindName): boolean {
  return Object.hasOwn(commentKinds, kind);
}

/** The declaration of a kind as plain data. */
export function kindOf(name: KindName): KindShape {
  return kinds[name];
}

/** The kind below which another is found on the walk; null at the root. */
export function parentKind(name: KindName): KindName | null {
  const { parent } = kindOf(name);
  return parent !== null && isKindName(parent) ? parent : null;
}

/** True for what is read beside another kind, as a document tree is beside its page. */
export function isBeside(kind: KindName): boolean {
  return kindOf(kind).read.from === 'beside';
}

/** Kinds that are another form of what they stand beside: document trees. */
export const formKinds: readonly KindName[] = kindNames.filter((kind) => {
  const { read } = kindOf(kind);
  return read.from === 'beside' && read.query !== undefined;
});

/** Id of the space in which something stands, or which it is, by its kind and key; null outside of spaces. */
export function spaceOf(kind: string, key: string): string | null {
  return isKindName(kind) && isInSpace(kind) ? (key.split('/', 1)[0] ?? null) : null;
}

/** True for a space and all that stands in one: their keys begin with its id. */
export function isInSpace(kind: KindName): boolean {
  return kindOf(kind).params[0] === 'spaceId';
}

/** The kind whose read shows one: itself, or what it is a part of or stands beside. */
export function readWith(kind: KindName): KindName {
  const { from } = kindOf(kind).read;
  const parent = from === 'part' || from === 'beside' ? parentKind(kind) : null;
  return parent === null ? kind : readWith(parent);
}

/** True for a kind that every walk reads: nothing tells of it, nor of what it stands below, that it stands still. */
export function isReadEachNight(kind: KindName): boolean {
  if (kindOf(kind).movesWith !== undefined) return false;
  const above = parentKind(kind);
  return above === null || isReadEachNight(above);
}

/** Kinds whose listings lead to one that has none of its own: those that show it, and all that these stand below. */
export function routesTo(kind: KindName): KindName[] {
  const { read } = kindOf(kind);
  const showing = read.from === 'routes' ? read.routes.filter(isKindName) : [];
  return showing.flatMap((route) => [route, ...kindsAbove(route)]);
}

function kindsAbove(kind: KindName): KindName[] {
  const parent = parentKind(kind);
  return parent === null ? [] : [parent, ...kindsAbove(parent)];
}

/** The kind of a space of which change requests have copies as this one; null for all else. */
export function originalKind(kind: KindName): KindName | null {
  const { copyOf } = kindOf(kind);
  return copyOf !== undefined && isKindName(copyOf) ? copyOf : null;
}

/** True for a kind of what change requests copy from their space. */
export function isCopy(kind: KindName): boolean {
  return originalKind(kind) !== null;
}

const copies: ReadonlyMap<string, KindName> = new Map(
  kindNames.flatMap((name): [string, KindName][] => {
    const { copyOf } = kindOf(name);
    return copyOf === undefined ? [] : [[copyOf, name]];
  }),
);

/** The kind of the copies that change requests have of this one; null for all else. */
export function copyKind(kind: KindName): KindName | null {
  return copies.get(kind) ?? null;
}

/** True for a page, of a space or of a change request. */
export function isPage(kind: KindName): kind is 'page' | 'change-request-page' {
  return kind === 'page' || originalKind(kind) === 'page';
}

/** True for what was said to a comment. */
export function isReply(kind: KindName): boolean {
  const parent = parentKind(kind);
  return parent !== null && isComment(parent);
}

/** The path parameter that is a resource's own among those of its kind: all others name what holds it. */
export function ownParameter(name: KindName): string {
  return kindOf(name).params.at(-1) ?? '';
}

/** Narrows a name read from data; false for a kind this contract does not know. */
export function isKindName(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}

// A copy of a space is a space that was made, and no kind is declared to be made by it.
const making: ReadonlySet<AnyOperationName> = new Set([
  ...kindNames.flatMap((name) => kindOf(name).create ?? []),
  'duplicateSpace' as const,
]);

/** Whether an operation makes something, and answers it with its id. */
export function makes(operation: AnyOperationName): boolean {
  return making.has(operation);
}

const moving: ReadonlySet<AnyOperationName> = new Set(kindNames.flatMap((name) => kindOf(name).move ?? []));

/**
 * Whether a write only sets what it says: done twice, it leaves what it leaves done once. A team is made by a PUT; a move is a POST, and
 * says where the thing is to stand.
 */
export function onlySets(operation: AnyOperationName): boolean {
  const sets = ['PUT', 'PATCH'].includes(operationOf(operation).method) || moving.has(operation);
  return sets && !makes(operation);
}

const parted: ReadonlySet<string | null> = new Set(
  kindNames.map(kindOf).flatMap(({ read, parent }) => (read.from === 'part' ? [parent] : [])),
);
const trees: ReadonlySet<AnyOperationName> = new Set(
  kindNames.flatMap((name) => {
    const { read } = kindOf(name);
    return parted.has(name) && read.from === 'single' ? [read.operation] : [];
  }),
);

/** Whether an answer holds all there is of other kinds: it comes in one piece, however large. */
export function answersTree(operation: AnyOperationName): boolean {
  return trees.has(operation);
}

const lone: ReadonlySet<AnyOperationName> = new Set(
  kindNames.flatMap((name) => {
    const { read, id } = kindOf(name);
    return read.from === 'single' && id === null && !parted.has(name) ? [read.operation] : [];
  }),
);

/** Whether what a read is about may have none of what is asked for, as a site has no schema until one is set. */
export function mayHaveNone(operation: AnyOperationName): boolean {
  return lone.has(operation);
}

const kindsByParent = new Map<string | null, readonly KindName[]>();
for (const name of kindNames) {
  const { parent } = kindOf(name);
  kindsByParent.set(parent, [...(kindsByParent.get(parent) ?? []), name]);
}

/** Kinds found directly below the given one, in the order of declaration. */
export function childKinds(parent: KindName | null): readonly KindName[] {
  return kindsByParent.get(parent) ?? [];
}

/** Kinds found below the given one, however deep. */
export function kindsBelow(kind: KindName): KindName[] {
  return childKinds(kind).flatMap((child) => [child, ...kindsBelow(child)]);
}

const kindsByView = new Map<string, readonly KindName[]>();
for (const name of kindNames) {
  const { view } = kindOf(name);
  kindsByView.set(view, [...(kindsByView.get(view) ?? []), name]);
}

/** Names of the SQL views, each with the kinds it unites. */
export function viewKinds(): ReadonlyMap<string, readonly KindName[]> {
  return kindsByView;
}
