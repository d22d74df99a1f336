// What a restore made and somebody has called otherwise since: taken away with what the restore made, the new name would be lost.
import type { Resource, RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { textAt } from '../resource.ts';
import { CHANGED_SINCE } from './later-restores.ts';
import { wroteNothing } from './step-journal.ts';

interface Making {
  readonly steps: readonly RestoreStep[];
  /** Holds what it was made of; null where that is not at hand. */
  readonly originals: SnapshotReader | null;
}

/** Why something is not to be taken away; null for what is called as the restore made it. Spaces and pages tell that by their times. */
export function renamedSince({ steps, originals }: Making): (one: Resource) => string | null {
  const keys = new Map(
    steps.flatMap((step) =>
      step.new_id === null || wroteNothing(step) ? [] : [[nameOf(step.kind, step.new_id), step]],
    ),
  );
  return ({ kind, id, body }) => {
    const made = kind === 'space' || kind === 'page' ? undefined : keys.get(nameOf(kind, id));
    const was = made && textAt(originals?.one(kind, made.key)?.body, 'title');
    const now = textAt(body, 'title');
    return was === undefined || now === undefined || now === was ? null : CHANGED_SINCE;
  };
}

function nameOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}
