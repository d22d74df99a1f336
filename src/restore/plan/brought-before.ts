// What an earlier restore of this mirror has brought into the target already: made beside it, all of it would stand there twice.
import { count } from '../../base/index.ts';
import { stepsOf, halfUndone, undoesOf, undone, type Mirror, type RestoreRecord } from '../../mirror/index.ts';
import { lineageOf, madeBy, restoresInto, type Lineage } from '../journal/lineage.ts';
import type { TargetState } from '../target.ts';
import type { PlanStep, PreflightCheck } from '../types.ts';

interface Place {
  readonly mirror: Mirror;
  readonly url: string;
  readonly target: TargetState;
}

/** One line for each such restore, with what to do instead of applying the plan. */
export function broughtTwice(place: Place, steps: readonly PlanStep[]): PreflightCheck[] {
  const made = steps.filter(({ part }) => part === 'create');
  const restores = bringing(place);
  if (made.length === 0 || restores.length === 0) return [];
  const lineage = lineageOf(place.mirror, restores);
  const making = new Set(made.map((step) => lineage.nameOf(step)));
  return restores.flatMap((restore): PreflightCheck[] => {
    const twice = standing(place, restore, { lineage, making });
    if (twice === null) return [];
    const detail = `restore ${restore.id} has brought ${twice} here, which this plan makes a second time; ${insteadOf(place.mirror, restore)}`;
    return [{ check: 'earlier restore', state: 'warn', detail }];
  });
}

/** The same for a target that ought to be empty: what stands there may be half of a restore. Null when no restore made any of it. */
export function broughtBefore(place: Place): string | null {
  const said = bringing(place).flatMap((restore) => {
    const there = standing(place, restore, null);
    return there === null
      ? []
      : [`Restore ${restore.id} has brought ${there} of it here: ${insteadOf(place.mirror, restore)}.`];
  });
  return said.at(-1) ?? null;
}

/** An undo brings nothing of its own. */
function bringing({ mirror, url, target: { organization } }: Place): RestoreRecord[] {
  return restoresInto(mirror, { url, organization }).filter((one) => undoesOf(one) === null);
}

interface Making {
  readonly lineage: Lineage;
  /** Kinds and keys of the first of their line. */
  readonly making: ReadonlySet<string>;
}

/** By kind, in the order of the target; null when nothing of it stands there. */
function standing({ mirror, target }: Place, { id }: RestoreRecord, making: Making | null): string | null {
  const brought = stepsOf(mirror, id)
    .flatMap(madeBy)
    .filter((one) => making === null || making.making.has(making.lineage.nameOf(one)));
  const ids = new Set(brought.map((one) => `${one.kind} ${one.id}`));
  const counts = [...target.there].flatMap(([kind, found]) => {
    const number = found.filter((one) => ids.has(`${kind} ${one.id}`)).length;
    return number === 0 ? [] : [count(number, kind)];
  });
  return counts.length === 0 ? null : counts.join(', ');
}

function insteadOf(mirror: Mirror, { id, state }: RestoreRecord): string {
  const half = halfUndone(mirror).get(id);
  if (half !== undefined) return `run \`docmirror restore resume ${half}\` first, which takes that restore back`;
  if (undone(mirror).has(id))
    return `it was taken back but for this: \`docmirror restore undo ${id} --even-changed\` takes away even what somebody changed`;
  const back = `\`docmirror restore undo ${id}\` takes it back`;
  return state === 'done' ? back : `\`docmirror restore resume ${id}\` goes on with it instead, ${back}`;
}
