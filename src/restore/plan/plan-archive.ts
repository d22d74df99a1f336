// What holds the snapshots of a plan. All that it will write is read and hashed there before the first write: what stands in its spaces, and
// what in none.
import { AppError, inTurns } from '../../base/index.ts';
import { kindOf } from '../../contract/index.ts';
import {
  damagedBodyAt,
  firstTampered,
  listSnapshots,
  presentPlace,
  readerAt,
  readMirror,
  snapshotById,
  type Mirror,
  type Resource,
  type SnapshotReader,
} from '../../mirror/index.ts';
import type { Plan } from '../types.ts';
import { firstOf } from '../resource.ts';

interface Archive extends Disposable {
  readonly mirror: Mirror;
}

/** What holds the snapshots of a plan. Throws DM_NO_SNAPSHOT when its folder is gone. */
export function archiveOf(mirror: Mirror, { archive }: Plan): Archive {
  if (archive === null) return { mirror, [Symbol.dispose]: () => undefined };
  const opened = readMirror({ dataDir: presentPlace(mirror, archive), clock: mirror.clock });
  return { mirror: opened, [Symbol.dispose]: () => opened[Symbol.dispose]() };
}

interface ArchiveCheck {
  /** The plan was found to fit before; `forget` may have sealed the chain of manifests again since. */
  readonly isBegun?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Throws DM_PLAN_STALE when the snapshot is not the one of the plan, DM_ARCHIVE_DAMAGED when a text or file that it needs of it is not
 * whole.
 */
export async function checkArchive(
  mirror: Mirror,
  plan: Plan,
  { isBegun = false, signal }: ArchiveCheck = {},
): Promise<void> {
  if (!isBegun) demandHeld(mirror, plan);
  const snapshot = snapshotById(mirror, plan.snapshot);
  if (plan.live !== null) snapshotById(mirror, plan.live.snapshot);
  const isSame = snapshot.manifest_hash === plan.manifest;
  if (!isSame && !(isBegun && (await inTurns(firstTampered(mirror), signal)) === null))
    throw stale(`snapshot ${plan.snapshot} is not the one it was made from`, plan);
  const spaces = spacesOf(plan);
  const text = await inTurns(damagedBodyAt(mirror, plan.snapshot, spaces), signal);
  if (text !== null) throw damaged(`The text of ${text} is not what was stored`);
  await demandFiles(mirror, plan.snapshot, { spaces, signal });
}

/** Ids of the spaces that the plan writes something of; what stands in others is not read, and may be damaged. */
function spacesOf({ steps }: Plan): Set<string> {
  return new Set(steps.flatMap(({ kind, key }) => (kindOf(kind).params[0] === 'spaceId' ? [firstOf(key)] : [])));
}

interface Files {
  readonly spaces: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
}

async function demandFiles(mirror: Mirror, snapshot: number, { spaces, signal }: Files): Promise<void> {
  const checked = new Set<string>();
  for (const { key, object } of filesIn(readerAt(mirror, snapshot), spaces)) {
    signal?.throwIfAborted();
    if (object !== null && checked.has(object.sha256)) continue;
    if (object === null || !mirror.objects.has(object.sha256)) throw damaged(`The bytes of file ${key} are missing`);
    if (!(await mirror.objects.verify(object.sha256))) throw damaged(`The bytes of file ${key} are damaged`);
    checked.add(object.sha256);
  }
}

function* filesIn(reader: SnapshotReader, spaces: ReadonlySet<string>): IterableIterator<Resource> {
  for (const kind of ['file', 'change-request-file'] as const)
    for (const space of spaces) yield* reader.resources(kind, space);
}

/** What stands is compared with the snapshot of the live state, too: of one that was forgotten a reader finds only what others left. */
function demandHeld(mirror: Mirror, plan: Plan): void {
  const { snapshot, live } = plan;
  const held = new Set(listSnapshots(mirror).map(({ id }) => id));
  const newest = Math.max(0, ...held);
  for (const one of live === null ? [snapshot] : [snapshot, live.snapshot]) {
    if (held.has(one)) continue;
    const why =
      one > newest ? `is not in this mirror, whose newest is ${newest}, as in an older copy` : 'was forgotten since';
    const said = `snapshot ${one}, which it was made from, ${why}`;
    throw one === snapshot && plan.undoes === null ? stale(said, plan, OF_ANOTHER) : stale(said, plan);
  }
}

function damaged(what: string): AppError {
  return new AppError('DM_ARCHIVE_DAMAGED', what, {
    hint: 'Run `docmirror sync --full`, which reads again what the platform still has as it was, then `docmirror check --read-data`; or plan from a whole snapshot, or with --scope what is whole of this one. Nothing was written.',
  });
}

const OF_ANOTHER = ' of one of the snapshots that `docmirror snapshots` lists, and the other options of this one';

/** @param options Of the new plan. */
export function stale(why: string, plan: Pick<Plan, 'undoes'>, options = ' and the options of this one'): AppError {
  return new AppError('DM_PLAN_STALE', `The plan no longer fits: ${why}`, {
    hint: `Make a new plan with \`${planningAgain(plan)}\`${plan.undoes === null ? options : ''}. Nothing was written.`,
  });
}

/** The command that makes a plan of the same kind. */
export function planningAgain({ undoes }: Pick<Plan, 'undoes'>): string {
  return undoes === null ? 'docmirror restore plan' : `docmirror restore undo ${undoes} --plan-only`;
}
