// Restores that were cut off while they made what a plan is to make: what came of it only their resume finds out.
import { listRestores, stepsOf, type Mirror } from '../../mirror/index.ts';
import type { PlanStep, PreflightCheck } from '../types.ts';
import { undone } from '../undo-file.ts';

interface Place {
  readonly url: string;
  readonly organization: string;
}

/** One line for each such restore, with what to do before the plan is applied. */
export function openRestores(
  journal: Mirror,
  { url, organization }: Place,
  steps: readonly PlanStep[],
): PreflightCheck[] {
  const making = new Map<string, PlanStep>(
    steps.filter(({ part }) => part === 'create').map((step) => [`${step.kind} ${step.key}`, step]),
  );
  const backed = undone(journal);
  return listRestores(journal).flatMap((restore): PreflightCheck[] => {
    if (restore.target !== url || restore.organization !== organization || backed.has(restore.id)) return [];
    const begun = stepsOf(journal, restore.id).filter(({ state }) => state === 'started' || state === 'failed');
    const both = begun.flatMap(({ kind, key }) => making.get(`${kind} ${key}`) ?? []);
    const [first] = both;
    if (first === undefined) return [];
    const more = both.length > 1 ? ` and ${both.length - 1} more` : '';
    const detail =
      `restore ${restore.id} was making ${first.kind} ${first.title}${more} and could not note whether it is there: this plan may make it twice. ` +
      `Run \`docmirror restore resume ${restore.id}\` first, which looks it up, and plan again`;
    return [{ check: 'earlier restore', state: 'warn', detail }];
  });
}
