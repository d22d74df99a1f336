// What people are told of what the target refused: what did not come back, why, and where what stood below it came.
import { raisedLine, untakenLine, type Untaken } from '../../journal/untaken.ts';
import { titleOf } from '../../resource.ts';
import type { ApplyContext, PlanStep } from '../../types.ts';
import { belowOf } from './missing-map.ts';

interface Told {
  readonly untaken: readonly Untaken[];
  /** The step as it was gone on with. */
  readonly own: PlanStep;
}

export function untakenLines(context: ApplyContext, step: PlanStep, { untaken, own }: Told): string[] {
  return untaken.flatMap((one) => [
    untakenLine(one),
    ...(one.what === 'all' && one.kind === 'page' ? raisedLines(context, step, { id: one.id, own }) : []),
  ]);
}

interface Raised {
  readonly id: string;
  readonly own: PlanStep;
}

/** Where the pages came that stood below it. */
function raisedLines(context: ApplyContext, step: PlanStep, { id, own }: Raised): string[] {
  const stoodBelow = (step.pages?.missing ?? []).filter((mend) => belowOf(context, step, mend) === id);
  const ids = new Set(stoodBelow.map((mend) => mend.id));
  const came = (own.pages?.missing ?? []).filter((mend) => ids.has(mend.id));
  const [first] = came;
  if (first === undefined) return [];
  const { reader, live } = context;
  const key = `${step.key}/${first.below ?? ''}`;
  const above = reader.one('page', key) ?? live?.one('page', key);
  return [raisedLine(came.length, above === undefined ? null : titleOf(above))];
}
