// Which spaces a restore in place has to do with: where all of it lies in a few, nobody waits until thousands of others are read again.
import { kindOf } from '../../contract/index.ts';
import { readerAt } from '../../mirror/index.ts';
import { askedFor, type PlanInput } from '../plan.ts';
import { firstOf } from '../resource.ts';
import { parseScope } from '../selection/scope.ts';
import type { Plan, PlanStep } from '../types.ts';

/** The spaces that hold everything that is asked for; null where that may be more. Throws DM_USAGE for a scope that the snapshot does not have. */
export function spacesAskedFor(input: Pick<PlanInput, 'mirror' | 'snapshot' | 'scope' | 'where'>): string[] | null {
  if (input.scope === null || input.where !== null) return null;
  const scope = parseScope(input.scope);
  if (scope.by === 'space') return [scope.id];
  if (scope.by !== 'page' && scope.by !== 'change-request') return null;
  const { chosen } = askedFor(input, readerAt(input.mirror, input.snapshot));
  return chosen && chosen.resources.map(({ key }) => firstOf(key));
}

/** The spaces that hold everything that a plan in place writes; null where it writes elsewhere too, or nothing. */
export function spacesWritten({ steps }: Pick<Plan, 'steps'>): string[] | null {
  const writing = steps.filter(({ part, adopts }) => part !== 'none' || adopts !== null);
  const isWithin = writing.length > 0 && writing.every(isInStandingSpace);
  return isWithin ? [...new Set(writing.map(({ key }) => firstOf(key)))] : null;
}

/** Where a space stands among others, and in what, is told by what holds it. */
function isInStandingSpace({ kind, part }: PlanStep): boolean {
  return kind === 'space' ? part === 'fields' : kindOf(kind).params[0] === 'spaceId';
}
