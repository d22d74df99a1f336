// Which command brings back what lies in the platform's bin.
import { shellWord } from '../base/index.ts';
import type { StatusReport } from './status-report.ts';

type DeletedSpaces = StatusReport['deletedSpaces'];

/** Spaces that one plan can bring back: gone since one snapshot, from one organization. */
export interface DeletedTogether {
  readonly spaces: DeletedSpaces;
  /** The command for all of them, when one for each would be too many to read. */
  readonly together: string | null;
}

/** More spaces than these that went together have one command. */
const SINGLY = 3;

/** Deleted spaces by what one command brings back. */
export function deletedTogether(deletedSpaces: DeletedSpaces): DeletedTogether[] {
  const keyOf = ({ lastSeen, organization }: DeletedSpaces[number]): string => `${lastSeen} ${organization ?? ''}`;
  return [...new Set(deletedSpaces.map(keyOf))].map((key) => {
    const spaces = deletedSpaces.filter((space) => keyOf(space) === key);
    return { spaces, together: spaces.length > SINGLY ? togetherOf(spaces) : null };
  });
}

/** What became of such spaces, and for how long they can be brought back: `left` as `6 d 3 h`. Those of one group have one answer. */
export function deletedWords({ spaces }: Pick<DeletedTogether, 'spaces'>, left: string): string {
  const [were, are, it] = spaces.length === 1 ? ['was', 'is', 'it'] : ['were', 'are', 'all of them'];
  if (spaces.every(({ deletedAt }) => deletedAt !== null)) return `${were} deleted; ${it} can be undeleted for ${left}`;
  return `${are} not there any more: deleted, or hidden from the token; what was deleted can be undeleted for ${left} at most`;
}

/** The command that plans to bring one space back. */
export function undeleteOne({ id, lastSeen }: DeletedSpaces[number]): string {
  return plan(lastSeen, shellWord(`space:${id}`));
}

function togetherOf([first]: DeletedSpaces): string | null {
  if (first === undefined) return null;
  const { lastSeen, organization } = first;
  return plan(lastSeen, organization === null ? 'kind:space' : `kind:space --where ${whereOrganization(organization)}`);
}

/** An id is opaque: one that means more than itself to SQL or to a shell is quoted for both. */
function whereOrganization(id: string): string {
  const where = `organization = '${id.replaceAll("'", "''")}'`;
  return /^[\w-]+$/.test(id) ? `"${where}"` : shellWord(where);
}

/** @param scope Words of a shell. */
function plan(night: number, scope: string): string {
  return `docmirror restore plan --snapshot ${night} --in-place missing --scope ${scope} --out undelete.json`;
}
