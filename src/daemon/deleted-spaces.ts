// What is told of spaces that the platform can still bring back.
import { count, shellWord } from '../base/index.ts';
import { deletedTogether, type DeletedTogether, type StatusReport } from '../status/index.ts';
import type { Condition } from './conditions.ts';

type DeletedSpace = StatusReport['deletedSpaces'][number];

const HOUR_MS = 3_600_000;
const LAST_HOURS = 48;
/** Of many, so many are named. */
const NAMED = 3;

/** One for each space, and one for all that went together where that would be too many to read. */
export function undelete({ deletedSpaces }: Pick<StatusReport, 'deletedSpaces'>): Condition[] {
  return deletedTogether(deletedSpaces).flatMap(({ spaces, together }) =>
    together === null ? spaces.map(deletedOne) : [deletedMany(spaces, together)],
  );
}

function deletedOne(space: DeletedSpace): Condition {
  const { id, title, lastSeen, deletedAt } = space;
  const { left, isLast } = timeLeft([space]);
  return {
    cause: causeOf(id, isLast),
    event: 'undelete',
    what:
      deletedAt === null
        ? `The space ${title} (${id}) is not there any more: deleted, or hidden from the token; the platform can bring back whole what was deleted, for ${left} more at most`
        : `The space ${title} (${id}) was deleted; the platform can bring it back whole for ${left} more`,
    means: `After that it comes back only by a restore from snapshot ${lastSeen}, with new ids. When it was meant to go, nothing is to be done.`,
    run: `docmirror restore plan --snapshot ${lastSeen} --scope ${shellWord(`space:${id}`)} --in-place missing --out undelete.json`,
    endsSilently: true,
  };
}

function deletedMany(spaces: DeletedTogether['spaces'], run: string): Condition {
  const [first] = spaces;
  const { left, isLast } = timeLeft(spaces);
  const names = spaces.slice(0, NAMED).map(({ id, title }) => `${title} (${id})`);
  const which = `${names.join(', ')} and ${spaces.length - names.length} more`;
  return {
    cause: `undelete together ${first?.lastSeen} ${first?.organization ?? ''}`,
    event: 'undelete',
    what: spaces.some(({ deletedAt }) => deletedAt === null)
      ? `${spaces.length} spaces are not there any more: ${which}; deleted, or hidden from the token; the platform can bring back whole what was deleted, for ${left} more at most`
      : `${spaces.length} spaces were deleted: ${which}; the platform can bring them back whole for ${left} more`,
    means: `After that they come back only by a restore from snapshot ${first?.lastSeen}, with new ids. When they were meant to go, nothing is to be done.`,
    run,
    endsSilently: true,
    // Those that are left when the others are back, or gone for good, need no message of their own.
    parts: spaces.flatMap(({ id }) => (isLast ? [causeOf(id, false), causeOf(id, true)] : [causeOf(id, false)])),
  };
}

function causeOf(id: string, isLast: boolean): string {
  return `undelete ${id}${isLast ? ' soon' : ''}`;
}

/** Of the first of them that can be brought back no more. */
function timeLeft(spaces: DeletedTogether['spaces']): { left: string; isLast: boolean } {
  const hours = Math.floor(Math.min(...spaces.map(({ leftMs }) => leftMs)) / HOUR_MS);
  const isLast = hours < LAST_HOURS;
  return { left: isLast ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day'), isLast };
}
