// What a restore made and somebody has called otherwise since, or said otherwise: taken away with what the restore made, that would
// be lost.
import { sha256 } from '../../base/index.ts';
import { isComment, type KindName } from '../../contract/index.ts';
import type { Resource, RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { commentText, textAt, type Body } from '../resource.ts';
import { CHANGED_SINCE } from './later-restores.ts';
import { detailOf } from './step-detail.ts';
import { wroteNothing } from './step-journal.ts';

interface Making {
  readonly steps: readonly RestoreStep[];
  /** Holds what it was made of; null where that is not at hand. */
  readonly originals: Pick<SnapshotReader, 'one'> | null;
}

/** Why something is not to be taken away; null for what is called, or says, what it did as the restore made it. Spaces and pages tell that by their times, and the title of a place on a site is that of its space. */
export function renamedSince({ steps, originals }: Making): (one: Resource) => string | null {
  const keys = new Map(
    steps.flatMap((step) =>
      step.new_id === null || wroteNothing(step) ? [] : [[nameOf(step.kind, step.new_id), step]],
    ),
  );
  return ({ kind, id, body }) => {
    const made = UNTOLD.has(kind) ? undefined : keys.get(nameOf(kind, id));
    if (made && isComment(kind)) return isReworded(made, body) ? CHANGED_SINCE : null;
    const was = made && textAt(originals?.one(kind, made.key)?.body, 'title');
    const now = textAt(body, 'title');
    if (was === undefined || now === undefined || now === was) return null;
    return made && now === detailOf(made).called ? null : CHANGED_SINCE;
  };
}

const UNTOLD: ReadonlySet<KindName> = new Set<KindName>(['space', 'page', 'site-space']);

/** Its text need not read as it was sent: the platform has to say, too, that it was edited. */
function isReworded(made: RestoreStep, body: Body): boolean {
  const { said } = detailOf(made);
  const now = commentText(body);
  return said !== undefined && now !== null && sha256(now) !== said && textAt(body, 'editedAt') !== undefined;
}

function nameOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}
