// What a plan takes away must not stand on the target.
import type { KindName } from '../../contract/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import type { Plan, PlanStep } from '../types.ts';

interface Sides {
  readonly plan: Plan;
  readonly original: SnapshotReader;
  readonly restored: SnapshotReader;
  readonly ids: IdMap;
}

interface Left {
  readonly kind: KindName;
  readonly key: string;
  readonly isThere: boolean;
}

/** By the plan, which names it. */
export function* leftThere(sides: Sides): IterableIterator<Left> {
  for (const step of sides.plan.steps) {
    if (step.kind === 'change-request-revision') yield* leftInRequest(sides, step);
    else if (step.part === 'pages' && !sides.plan.review) yield* leftPages(sides, step);
    else if (step.part === 'remove') yield { kind: step.kind, key: step.key, isThere: isThere(sides.restored, step) };
  }
}

/** Pages that a change request takes away from its space. */
function* leftInRequest(sides: Sides, { key, part, pages }: PlanStep): IterableIterator<Left> {
  const { restored, ids } = sides;
  const kind = 'change-request-page';
  // Where an import has put a page that came back, it stays.
  const back = new Set(ids.idsOf(kind));
  const brought = new Set(broughtInto(sides, key));
  const [space = ''] = key.split('/');
  const request = [ids.get('space', space), ids.get('change-request', key)];
  for (const { id } of pages?.added ?? []) {
    if (part === 'removals' && back.has(id)) continue;
    const now = part === 'removals' ? id : ids.get('page', `${space}/${id}`);
    // One that was moved there, or written over, is a page that came back.
    if (part !== 'removals' && now !== undefined && brought.has(now)) continue;
    const place = [...request, now];
    const isLeft = !place.includes(undefined) && restored.one(kind, place.join('/')) !== undefined;
    yield { kind, key: `${key}/${id}`, isThere: isLeft };
  }
}

/** Ids of the pages of a change request that came back, but for links, of which an import may know another for it. */
function* broughtInto({ original, ids }: Sides, request: string): IterableIterator<string> {
  for (const { key, holds, body } of original.outline('change-request-page', request)) {
    const now = ids.get('change-request-page', key);
    if (holds && now !== undefined && body['type'] !== 'link') yield now;
  }
}

function* leftPages({ restored }: Sides, { key, pages }: PlanStep): IterableIterator<Left> {
  for (const { id } of pages?.added ?? []) {
    const page = `${key}/${id}`;
    yield { kind: 'page', key: page, isThere: restored.one('page', page) !== undefined };
  }
}

/** A change request is archived, since no operation deletes it. */
function isThere(restored: SnapshotReader, { kind, key }: PlanStep): boolean {
  const found = restored.one(kind, key);
  return found !== undefined && !(kind === 'change-request' && found.body['status'] === 'archived');
}
