// What must not stand on the target: what a plan takes away, and pages of a space that it made which the snapshot does not have.
import type { KindName } from '../../contract/index.ts';
import { type Resource, PAGES_AT_ONCE } from '../../mirror/index.ts';
import type { PlanStep } from '../types.ts';
import type { Sides } from './sides.ts';
import { firstOf, titleOf } from '../resource.ts';

interface Left {
  readonly kind: KindName;
  readonly key: string;
  /** What a person is told of it; null when it has gone. */
  readonly got: string | null;
}

/** By the plan, which names it. */
export function* leftThere(sides: Sides): IterableIterator<Left> {
  for (const step of sides.plan.steps) {
    if (step.kind === 'change-request-revision') yield* leftInRequest(sides, step);
    else if (step.part === 'pages' && !sides.plan.review) yield* leftPages(sides, step);
    else if (step.part === 'remove') yield { kind: step.kind, key: step.key, got: whatIs(sides, step) };
  }
}

/**
 * Where nothing was read, nothing is proven: neither that it is gone, nor by what an earlier walk has seen that it stands. A change request
 * is archived, since no operation deletes it.
 */
function whatIs({ restored, isUnread }: Sides, { kind, key }: Pick<Resource, 'kind' | 'key'>): string | null {
  if (isUnread(kind, key)) return 'not read: it may still be there';
  const found = restored.one(kind, key);
  if (found === undefined || (kind === 'change-request' && found.body['status'] === 'archived')) return null;
  return 'still there';
}

/** Pages that a change request takes away from its space. */
function* leftInRequest(sides: Sides, { key, part, pages }: PlanStep): IterableIterator<Left> {
  const added = pages?.added ?? [];
  if (added.length === 0) return;
  const { ids } = sides;
  const kind = 'change-request-page';
  const isRemoval = part === 'removals';
  // Where an import has put a page that came back, or one was moved there, or written over, it stays.
  const back = new Set(isRemoval ? ids.idsOf(kind) : broughtInto(sides, key));
  const space = firstOf(key);
  const request = [ids.get('space', space), ids.get('change-request', key)];
  for (const { id } of added) {
    const now = isRemoval ? id : ids.get('page', `${space}/${id}`);
    if (now !== undefined && back.has(now)) continue;
    const place = [...request, now];
    const got = place.includes(undefined) ? null : whatIs(sides, { kind, key: place.join('/') });
    yield { kind, key: `${key}/${id}`, got };
  }
}

/** Ids of the pages of a change request that came back, but for links, of which an import may know another for it. */
function* broughtInto({ original, ids }: Sides, request: string): IterableIterator<string> {
  for (const { key, holds, body } of original.outline('change-request-page', request)) {
    const now = ids.get('change-request-page', key);
    if (holds && now !== undefined && body['type'] !== 'link') yield now;
  }
}

function* leftPages(sides: Sides, { key: space, pages }: PlanStep): IterableIterator<Left> {
  for (const { id } of pages?.added ?? []) {
    const [kind, key] = ['page', `${space}/${id}`] as const;
    yield { kind, key, got: whatIs(sides, { kind, key }) };
  }
}

interface Beyond {
  /** Of the target. */
  readonly key: string;
  /** What a person is told of it. */
  readonly got: string;
}

/**
 * Pages beside those of the snapshot: the platform begins each space with one, or an import that was sent again added them once more.
 * Null now and then, where others may have their turn.
 */
export function* beyondSnapshot({ plan, restored, ids }: Sides): IterableIterator<Beyond | null> {
  if (plan.review) return;
  const own = new Set(ids.idsOf('page'));
  let looked = 0;
  const made = plan.steps.filter(({ kind, part }) => isNewSpace(kind, part));
  for (const key of new Set(made.map((step) => step.key))) {
    const space = ids.get('space', key);
    if (space === undefined) continue;
    for (const page of restored.outline('page', space)) {
      if (++looked % PAGES_AT_ONCE === 0) yield null;
      if (page.holds && !own.has(page.id))
        yield { key: page.key, got: `${titleOf(page)}, which the snapshot does not have` };
    }
  }
}

/** Of a space that was empty nothing is imported. */
function isNewSpace(kind: string, part: string): boolean {
  return (kind === 'revision' && part === 'content') || (kind === 'space' && part === 'create');
}
