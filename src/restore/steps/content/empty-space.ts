// A space that holds no pages in the snapshot: nothing is imported into it, so that a page which the platform begins each space with would stay.
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../../types.ts';
import { withTold } from '../../with-problems.ts';
import { nothing } from '../original.ts';
import { contentOf } from '../../target/content-there.ts';
import { hasFirstPages, seeFirstPages, withoutFirstPages } from './first-pages.ts';

/** Before what closes the space. */
export function emptiedFirst(work: StepWork): StepWork {
  return {
    ...work,
    write: async (context, step) => {
      const emptied = await withoutPages(context, step);
      const { how } = emptied;
      const outcome = withTold(await work.write(context, step), emptied);
      return how === undefined ? outcome : { ...outcome, how };
    },
  };
}

async function withoutPages(context: ApplyContext, step: PlanStep): Promise<StepOutcome> {
  const { plan, ids } = context;
  const isFilled = plan.steps.some(
    ({ kind, part, key }) => kind === 'revision' && part === 'content' && key === step.key,
  );
  if (isFilled || plan.review) return nothing;
  await seeFirstPages(context, step);
  if (!hasFirstPages(context, step)) return nothing;
  const into = { spaceId: ids.need('space', step.key) };
  return withoutFirstPages(context, step, { into, made: await contentOf(context, into), outcome: nothing });
}
