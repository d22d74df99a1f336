// The list of restores.
import { pathFromHere } from '../../base/index.ts';
import type { Look } from '../screen.ts';
import { table } from './table.ts';
import { when } from './units.ts';

/** The state of a restore as apply and the list both say it: what did all but a few of its writes has not failed. */
export function wordOf(state: string): string {
  return state === 'failed' ? 'incomplete' : state;
}

export interface RestoreDocument {
  restore: string;
  state: string;
  snapshot: number;
  /** Folder of the mirror that the snapshot is of; null for the mirror itself. */
  archive: string | null;
  /** Id of the restore that this one takes back. */
  undoes: string | null;
  /** Id of the restore that took this one back. */
  undoneBy: string | null;
  /** Id of the restore that has begun to, and has not come to its end. */
  beingUndoneBy: string | null;
  /** The one that took it back has left something. */
  undoneInPart: boolean;
  target: string;
  organization: string;
  plan: string;
  createdAt: string;
  endedAt: string | null;
  done: number;
  failed: number;
  /** Null until it was verified. */
  verified: boolean | null;
}

export function restoresView(restores: readonly RestoreDocument[], look: Look): string {
  if (restores.length === 0)
    return look.named('No restore yet. Begin with: docmirror restore plan --snapshot latest --out plan.json');
  // Of one, nobody asks which.
  const several = new Set(restores.map(({ organization }) => organization)).size > 1;
  return table(
    restores,
    [
      { title: 'restore', value: (row) => row.restore },
      { title: 'state', value: stateOf },
      { title: 'takes back', value: (row) => row.undoes, optional: true },
      { title: 'snapshot', align: 'right', value: snapshotWords },
      { title: 'target', value: (row) => row.target },
      { title: 'organization', value: (row) => (several ? row.organization : null), optional: true },
      { title: 'begun', value: (row) => when(row.createdAt) },
      { title: 'done', align: 'right', value: (row) => row.done },
      { title: 'failed', align: 'right', value: (row) => row.failed },
      { title: 'verified', value: (row) => (row.verified === null ? 'not yet' : row.verified ? 'passed' : 'differs') },
    ],
    look,
  );
}

function stateOf({ state, undoneBy, beingUndoneBy, undoneInPart }: RestoreDocument): string {
  if (undoneBy !== null) return undoneInPart ? 'undone in part' : 'undone';
  return beingUndoneBy === null ? wordOf(state) : 'half undone';
}

/** One that is of another mirror says of which: `docmirror snapshots` does not list it. */
function snapshotWords({ snapshot, archive }: RestoreDocument): string {
  return archive === null ? String(snapshot) : `${snapshot} in ${pathFromHere(archive)}`;
}
