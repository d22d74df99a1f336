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
  const spaces = [...new Set(writing(steps).map(({ key }) => firstOf(key)))];
  return spaces.length > 0 && writesWithin({ steps }, spaces) ? spaces : null;
}

/** True where a plan in place writes into these spaces alone: of what it would write elsewhere it knows how that was mirrored, and not how it stands. */
export function writesWithin({ steps }: Pick<Plan, 'steps'>, spaces: readonly string[]): boolean {
  return writing(steps).every((step) => isInStandingSpace(step) && spaces.includes(firstOf(step.key)));
}

function writing(steps: Plan['steps']): PlanStep[] {
  return steps.filter(({ part, adopts }) => part !== 'none' || adopts !== null);
}

/** Where a space stands among others, and in what, is told by what holds it. */
function isInStandingSpace({ kind, part }: PlanStep): boolean {
  return kind === 'space' ? part === 'fields' : kindOf(kind).params[0] === 'spaceId';
}
