// What is the work of a restore, and of people since: an undo leaves it to them, and says why.
import type { Mirror, Resource, RestoreRecord, RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { lastEdit, spaceOf, commentText, textAt, type Body } from '../resource.ts';
import type { Plan, Part } from '../types.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { holdsOthers } from './held-since.ts';
import { LaterRestores, IS_LEFT, CHANGED_SINCE } from './later-restores.ts';
import { spacesChangedSince } from './made-spaces.ts';
import type { OwnDrafts } from './own-drafts.ts';
import { type OwnWork, keepsWrapped } from './own-work.ts';
import { detailOf } from './step-detail.ts';
import { sha256 } from '../../base/index.ts';
import { isComment, type KindName } from '../../contract/index.ts';
import { wroteNothing } from './step-journal.ts';

interface Done {
  readonly journal: Mirror;
  readonly record: RestoreRecord;
  readonly plan: Plan;
  readonly steps: readonly RestoreStep[];
  /** Those that have written something. */
  readonly written: readonly RestoreStep[];
  /** What stood before the restore. */
  readonly before: SnapshotReader;
  readonly live: SnapshotReader;
  /** Holds what the restore brought back; null where that is not at hand. */
  readonly originals: SnapshotReader | null;
  readonly own: OwnWork;
  readonly drafts: OwnDrafts;
}

interface Left {
  /** Why something stays; null for what goes, or is set back. */
  readonly keeps: (resource: Resource) => string | null;
  /** The same for what people have put something into since. */
  readonly holds: (resource: Resource) => string | null;
}

export function leftToPeople({ journal, record, own, drafts, originals, ...done }: Done): Left {
  const { plan, steps, written, before, live } = done;
  const isOwn = own.has;
  const later = new LaterRestores(journal, record);
  const changed = changedSince({ record, steps, before, later });
  const renamed = renamedSince({ steps: written, originals });
  const isChanged = (one: Resource): boolean => renamed(one) !== null;
  const holds = holdsOthers(live, { isOwn, isChanged, later, steps: written, originals });
  const meanwhile = changedMeanwhile({ plan, steps, live, isOwn, isChanged, later });
  const whyOwn = (one: Resource): string | null =>
    drafts.whyKept(one) ?? changed(one) ?? meanwhile(one) ?? renamed(one) ?? holds(one);
  const stays = keepsWrapped(own.wrapped, live, (section) => isOwn(section) && whyOwn(section) === null);
  return { keeps: (one) => whyOwn(one) ?? stays(one), holds };
}

interface Restored {
  readonly record: Pick<RestoreRecord, 'ended_at'>;
  readonly steps: readonly RestoreStep[];
  readonly before: SnapshotReader;
  readonly later: LaterRestores;
}

/** Only what says when it was changed can tell. */
function changedSince({ record, steps, before, later }: Restored): (resource: Resource) => string | null {
  // A page may be written by several steps: what the last one saw counts.
  const editedAt = new Map(steps.flatMap((step) => Object.entries(detailOf(step).editedAt ?? {})));
  const whyChanged = spacesChangedSince({ record, steps, later });
  return (resource) => {
    const { kind, key, id, body } = resource;
    if (kind === 'page') {
      // A merge takes over no time of a page that only changed places with others: its last edit stays that from before the restore.
      const was = before.one('page', key);
      const [left, now] = [editedAt.get(id), lastEdit(body)];
      if (left === undefined || [left, was && lastEdit(was.body)].includes(now)) return null;
      return later.whyChanged({ kind, id, space: spaceOf(resource), left, now });
    }
    return kind === 'space' ? whyChanged(resource) : null;
  };
}

const DELETED_SINCE = `it was deleted after the restore: ${IS_LEFT}`;

/** Parts after which what they wrote still stood. */
const STANDING: ReadonlySet<Part> = new Set<Part>(['fields', 'place', 'order', 'links', 'pages', 'state']);

type Named = Pick<Resource, 'kind' | 'key'>;

/** Why something that is missing stays so; null for what the restore has taken away itself, or put something else in the place of. */
export function deletedSince(
  { steps, mode }: Pick<Plan, 'steps' | 'mode'>,
  written: readonly RestoreStep[],
): (one: Named) => string | null {
  const begun = new Map(written.map((entry) => [entry.step, entry]));
  const [left, taken] = [new Set<string>(), new Set<string>()];
  for (const { step, kind, key, part, pages } of mode === 'in-place' ? steps : []) {
    const entry = begun.get(step);
    if (entry === undefined) continue;
    (STANDING.has(part) ? left : taken).add(`${kind} ${key}`);
    for (const { id } of [...(pages?.changed ?? []), ...(pages?.links ?? [])]) left.add(`page ${key}/${id}`);
    for (const { id } of pages?.added ?? []) taken.add(`page ${key}/${id}`);
    for (const [one, map] of Object.entries(detailOf(entry).map ?? {}))
      for (const original of Object.keys(map)) taken.add(`${one} ${original}`);
  }
  return ({ kind, key }) => (left.has(`${kind} ${key}`) && !taken.has(`${kind} ${key}`) ? DELETED_SINCE : null);
}

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
