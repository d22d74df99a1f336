// What a restore set back and somebody has deleted since: an undo would make it anew as it stood before, against whoever wanted it gone.
import type { Resource, RestoreStep } from '../../mirror/index.ts';
import type { Part, Plan } from '../types.ts';
import { IS_LEFT } from './later-restores.ts';
import { detailOf } from './step-detail.ts';

const DELETED_SINCE = `it was deleted after the restore: ${IS_LEFT}`;

/** Parts after which what they wrote still stood. */
const STANDING: ReadonlySet<Part> = new Set<Part>(['fields', 'place', 'order', 'links', 'pages', 'state']);

type Named = Pick<Resource, 'kind' | 'key'>;

/** Why something that is missing stays so; null for what the restore has taken away itself, or put something else in the place of. */
export function deletedSince(
  { steps, mode }: Pick<Plan, 'steps' | 'mode'>,
  written: readonly RestoreStep[],
): (one: Named) => string | null {
  const begun = new Map(written.map((entry) => [entry.step, entry]));
  const [left, taken] = [new Set<string>(), new Set<string>()];
  for (const { step, kind, key, part, pages } of mode === 'in-place' ? steps : []) {
    const entry = begun.get(step);
    if (entry === undefined) continue;
    (STANDING.has(part) ? left : taken).add(`${kind} ${key}`);
    for (const { id } of [...(pages?.changed ?? []), ...(pages?.links ?? [])]) left.add(`page ${key}/${id}`);
    for (const { id } of pages?.added ?? []) taken.add(`page ${key}/${id}`);
    for (const [one, map] of Object.entries(detailOf(entry).map ?? {}))
      for (const original of Object.keys(map)) taken.add(`${one} ${original}`);
  }
  return ({ kind, key }) => (left.has(`${kind} ${key}`) && !taken.has(`${kind} ${key}`) ? DELETED_SINCE : null);
}
