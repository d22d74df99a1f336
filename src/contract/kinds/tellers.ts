// What the platform says itself of a resource that has changed: the fields that move when it does, or when something below it does.
import { fieldsOf } from './fields.ts';
import { childKinds, kindOf, readWith, type KindName } from './index.ts';

// Fields that move with every edit of the resource.
const STAMPS = ['updatedAt', 'editedAt', 'documentId'] as const;

// Fields that move when it changes in another way: it is resolved, processed, moved, its user was active.
const STATES = [
  'status',
  'resolvedAt',
  'deletedAt',
  'lastSeenAt',
  'processingState',
  'lastProcessedAt',
  'revision',
  'revisionMerged',
  'parent',
] as const;

/** Whether an edit of a resource moves a field of its own: one that it has, or that its kind has from the first edit on. */
export function isStamped(kind: KindName, body: Readonly<Record<string, unknown>>): boolean {
  return STAMPS.some((field) => body[field] !== undefined) || fieldsOf(kind).has('editedAt');
}

/** Fields of which each says by itself that the resource has changed, or something below it. */
export function tellersOf(kind: KindName): ReadonlySet<string> {
  const fields = fieldsOf(kind);
  const { id } = kindOf(kind);
  const below = childKinds(kind).flatMap(movedBy);
  // The one child of its parent is another one when it has another id.
  const own = id === null ? ['id'] : [];
  const told = [...STATES, ...below, ...own].filter((field) => fields.has(field) && field !== id);
  return new Set([...STAMPS, ...told]);
}

/** Fields of what holds it that move when something of this kind comes or goes; none where nothing tells. */
export function movedBy(kind: KindName): readonly string[] {
  const { movesWith, countedBy, countedAtLeastBy } = kindOf(kind);
  const shownBy = readWith(kind);
  if (shownBy !== kind) return kindOf(shownBy).movesWith ?? [];
  return [...(movesWith ?? []), ...[countedBy, countedAtLeastBy].filter((field) => field !== undefined)];
}
