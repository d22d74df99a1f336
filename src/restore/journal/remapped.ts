// Who was made known to a restore after it, by a map of people.
import { noteStep, stepsOf, undone, type Mirror, type RestoreStep } from '../../mirror/index.ts';
import { lastOf } from '../resource.ts';
import type { Plan } from '../types.ts';
import { detailOf } from './step-detail.ts';

interface Noting {
  readonly restore: string;
  /** Of the restore. */
  readonly plan: Plan;
  readonly people: Plan['people'];
  /** The restore that gave them their roles; null where they had them. */
  readonly by: string | null;
}

/** Once it was carried out, the restore knows these people too: its journal says so. */
export function noteRemapped(mirror: Mirror, { restore, plan, people, by }: Noting): void {
  const known = new Map(stepsStanding(mirror, restore).map((one) => [one.step, one.new_id]));
  const detail = JSON.stringify({ how: HOW, ...(by === null ? {} : { remappedBy: by }) });
  for (const { kind, key, step, part } of plan.steps) {
    if (kind !== 'member' || part !== 'none') continue;
    const user = people[lastOf(key)];
    // Known by an earlier map: who takes this one back takes nothing from that.
    if (user === undefined || known.get(step) === user) continue;
    noteStep(mirror, { restore, step, state: 'done', kind, key, new_id: user, detail });
  }
}

const HOW = 'by a later map of people';

/** What a restore has noted; whoever was made known by a map of people that was taken back since is not known any more. */
export function stepsStanding(mirror: Mirror, restore: string): RestoreStep[] {
  const back = undone(mirror);
  return stepsOf(mirror, restore).filter((step) => !back.has(detailOf(step).remappedBy ?? ''));
}

export function isRemapped(step: RestoreStep): boolean {
  return step.kind === 'member' && detailOf(step).how === HOW;
}
