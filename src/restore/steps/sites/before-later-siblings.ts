// What is made when its later siblings stand already (they were never gone, or an earlier try to make it failed) is moved in front of them.
import type { Resource } from '../../../mirror/index.ts';
import { keyAbove, textAt } from '../../resource.ts';
import { rootOrder, spacesIn } from '../../special/site-order.ts';
import type { ApplyContext, MakingWork, PlanStep, StepOutcome } from '../../types.ts';
import { newParent } from '../containers.ts';
import { NOT_OFFERED, NOT_PERMITTED, NOT_TAKEN, unlessThere, whyRefused } from '../../answers.ts';
import { withLacks } from '../../with-problems.ts';
import { move, neighbour, type Target } from '../operations.ts';
import { original } from '../original.ts';

type Ordered = 'collection' | 'space' | 'site-section' | 'site-space';

/** The same work, with the move to its place behind it. Siblings that are made one after the other need no move. */
export function beforeLaterSiblings(kind: Ordered, work: MakingWork): MakingWork {
  const placed = async (context: ApplyContext, step: PlanStep, made: StepOutcome): Promise<StepOutcome> => {
    const { newId } = made;
    const part = original(context, step);
    const next = nextStanding(context, kind, part);
    if (next === undefined || newId === null) return made;
    return withLacks(made, await movedBefore(context, { ...part, newId }, next));
  };
  return {
    write: async (context, step) => placed(context, step, await work.write(context, step)),
    find: async (context, step) => {
      const found = await work.find(context, step);
      return found && placed(context, step, found);
    },
  };
}

/** What is made and not in its place is made all the same, and that is said: only what speaks of more than the move ends the step. */
export async function movedBefore(context: ApplyContext, target: Target, next: string): Promise<string[]> {
  const before = neighbour(target.kind, next);
  const refusal = await whyRefused(() => unlessThere(() => move(context, target, { position: { before } })), NOT_MOVED);
  return refusal === null ? [] : [`it stands behind its later siblings: ${refusal.message}`];
}

const NOT_MOVED = [...NOT_TAKEN, ...NOT_PERMITTED, ...NOT_OFFERED];

/** New id of the nearest later sibling that is there already. */
function nextStanding(context: ApplyContext, kind: Ordered, resource: Resource): string | undefined {
  const siblings = siblingsOf(context, kind, resource);
  const at = siblings.findIndex(({ key }) => key === resource.key);
  const next = at < 0 ? undefined : siblings.slice(at + 1).find((one) => isBeside(context, resource, one));
  return next && context.ids.get(next.kind, next.key);
}

function siblingsOf(context: ApplyContext, kind: Ordered, { key, body }: Resource): readonly Resource[] {
  const { reader, containers, live } = context;
  if (kind === 'collection' || kind === 'space') return containers.below(kind, textAt(body, 'parent'));
  const site = reader.one('site', keyAbove(key));
  if (site === undefined) return [];
  if (kind === 'site-section') return rootOrder(reader, site).filter((one) => one.kind === kind);
  // In place the plan has steps of its own for where they stand.
  return live === null ? spacesIn(reader, site, textAt(body, 'section')) : [];
}

/** What stood before the restore may have been moved elsewhere since. */
function isBeside(context: ApplyContext, resource: Resource, one: Resource): boolean {
  if (context.ids.get(one.kind, one.key) === undefined) return false;
  const now = context.live?.one(one.kind, one.key);
  // Out of a group that somebody put it into it comes behind what is made now.
  if (one.kind === 'site-section') return now === undefined || textAt(now.body, 'sectionGroup') === undefined;
  return now === undefined || textAt(now.body, 'parent') === newParent(context, resource);
}
