// A plan that mends a platform where it is: only what differs from the snapshot is brought back, set back or taken away.
import { AppError, inTurns } from '../../base/index.ts';
import { endingWith } from '../../client/index.ts';
import { listRestores, readerByIds, restoreById, snapshotById, type SnapshotReader } from '../../mirror/index.ts';
import { linksLeftOut } from '../links/links-elsewhere.ts';
import { askedFor, selectionOf } from '../plan.ts';
import { commonOf } from '../plan/plan-common.ts';
import { holderTitles } from '../plan/plan-holder.ts';
import type { Selection } from '../selection/selection.ts';
import { sourceChecks } from '../source-doubt.ts';
import { readTarget, readTargetOfGuest } from '../target.ts';
import type { Plan } from '../types.ts';
import { addedSince, liveCheck, madeAnew, outOfReachCheck, untoldCheck } from './checks.ts';
import { diverge, type Divergence } from './divergence.ts';
import { goneBefore } from './gone-before.ts';
import { heirsIn, type Heirs, type Searched } from './heirs.ts';
import type { InPlaceInput } from './input.ts';
import { openRestoreChecks } from './open-restore-checks.ts';
import { peopleWhoStay, spacesOf, stepsInPlace } from './steps.ts';
import { spacesInBin, unshownInBin } from './undelete.ts';
import { valuesInDoubt } from './values-in-doubt.ts';

/** Says what would have to be written for the live state to be that of the snapshot again, and nothing more. Nothing is written. */
export async function planInPlace(input: InPlaceInput): Promise<Plan> {
  const { mirror, clock, signal, undoes } = input;
  const client = endingWith(input.client, signal);
  const now = snapshotById(mirror, input.live);
  const [reader, live] = [readerByIds(mirror, input.snapshot), readerByIds(mirror, input.live)];
  const asked = askedFor(input, reader);
  const { organization } = asked;
  const selection = selectionOf(input, reader, asked);
  const journal = undoes?.journal ?? mirror;
  const searched = { url: input.targetUrl, organization, wanted: reader, live, ...countedFor(input) };
  const heirs = heirsIn(journal, searched);
  const found = divergenceOf(input, { reader, live, selection, organization, heirs });
  const stays = undoes?.stays ?? (() => null);
  const divergence = { ...found, missing: found.missing.filter((one) => stays(one) === null) };
  const gone = found.missing.flatMap((of) => ({ of, note: stays(of) ?? '' })).filter(({ note }) => note !== '');
  const isShown = [reader, live].some((side) => side.one('organization', organization) !== undefined);
  const target = await (isShown ? readTarget : readTargetOfGuest)(client, organization);
  const unshown = unshownInBin(mirror, clock.now());
  const bin = await spacesInBin({ client, clock, unshown }, spacesOf(divergence.missing));
  const steps = stepsInPlace({ input, reader, live, selection, target, divergence, gone, bin, heirs: heirs.ids });
  const people = peopleWhoStay(live, organization);
  const parts = { reader, organization, selection, target, people, steps };
  const common = await commonOf(input, { ...parts, donor: null, hostnames: new Set() });
  return {
    ...common,
    mode: 'in-place',
    live: { snapshot: now.id, manifest: now.manifest_hash },
    archive: input.archive ?? null,
    undoes: undoes?.restore ?? null,
    closure: selection.closure.filter(({ kind, key }) => live.one(kind, key) === undefined),
    heirs: heirs.standing,
    holders: holderTitles(steps, live, organization),
    preflight: [
      ...sourceChecks(mirror, input, { reader, selection }),
      liveCheck(input, now),
      ...outOfReachCheck(input, { reader, selection }),
      ...goneBefore(input, { live, heirs, steps }),
      ...untoldCheck(divergence),
      ...common.preflight,
      ...addedSince(input, divergence, { reader, organization }),
      ...madeAnew(input, divergence),
      ...valuesInDoubt(steps, { reader, live, organization, isUndo: undoes !== undefined }),
      ...openRestoreChecks(journal, { ...searched, undoes: undoes?.restore }, steps),
      ...(await inTurns(linksLeftOut(reader, { steps, only: common.only }), signal)),
    ],
    preconditions: [],
  };
}

/** What a restore made is just what its undo takes away; what has been brought back since, by an earlier try too, is not made again. */
function countedFor({ undoes }: InPlaceInput): Pick<Searched, 'counts'> {
  if (undoes === undefined) return {};
  const { restore, journal } = undoes;
  const { created_at: begun } = restoreById(journal, restore);
  const all = listRestores(journal).map(({ id }) => id);
  // What was begun after it wrote after it, whatever the clock said then.
  const later = new Set(all.slice(1 + all.indexOf(restore)));
  return { counts: ({ id }, { at }) => later.has(id) || (id !== restore && at >= begun) };
}

interface Sides {
  readonly reader: SnapshotReader;
  readonly live: SnapshotReader;
  readonly selection: Selection;
  readonly organization: string;
  readonly heirs: Heirs;
}

function divergenceOf(input: InPlaceInput, { reader, live, selection, organization, heirs }: Sides): Divergence {
  const there = selectThere(input, live, organization);
  const touched = input.undoes?.touched ?? (() => true);
  return diverge(
    { mirror: input.mirror, wanted: reader, live, heirs },
    {
      asked: (one) => (selection.meant(one) || there?.meant(one) === true) && touched(one),
      needed: (one) => selection.has(one.kind, one.key) && touched(one),
      isKnown: input.undoes !== undefined,
    },
  );
}

/** The same scope among what stands now; null when it is gone, or when it names what only the snapshot has. */
function selectThere(
  { scope, where, mirror, withoutComments }: InPlaceInput,
  live: SnapshotReader,
  organization: string,
): Selection | null {
  try {
    return selectionOf({ withoutComments }, live, { ...askedFor({ mirror, scope, where }, live), organization });
  } catch (error) {
    if (error instanceof AppError && error.code === 'DM_USAGE') return null;
    throw error;
  }
}
