// A plan that mends a platform where it is: only what differs from the snapshot is brought back, set back or taken away.
import { AppError, isoTime } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import {
  readerAt,
  restoreById,
  snapshotById,
  type Mirror,
  type Resource,
  type SnapshotReader,
} from '../../mirror/index.ts';
import type { IdMap } from '../id-map.ts';
import { NO_IMPORT_LIMITS } from '../import-parts.ts';
import { linksLeftOut } from '../links-elsewhere.ts';
import type { PeopleMap } from '../people.ts';
import { askedFor, onlyOf, selectionOf, type PlanInput } from '../plan.ts';
import { holderTitles } from '../plan-holder.ts';
import { planSteps } from '../plan-steps.ts';
import { StepList, type Planning } from '../plan/step-list.ts';
import { neededRights, preflight } from '../preflight.ts';
import { idAt, textAt } from '../resource.ts';
import type { Selection } from '../selection.ts';
import { idsThere, readTarget, type TargetState } from '../target.ts';
import type { Choices, Plan, PlanStep } from '../types.ts';
import { diverge, type Divergence } from './compare.ts';
import { probeContent } from '../content-probe.ts';
import { addMissingDiscussions } from '../plan/discussions.ts';
import { addMissingSiteParts } from '../plan/sites.ts';
import { addDefaultContentMend } from './default-content.ts';
import { addRequestMends, addTeamMends, addValueMends } from './gathered-mends.ts';
import { heirsIn, type Heirs } from './heirs.ts';
import { leavePages } from './left-pages.ts';
import { addFieldMends, addFields, addRemovals } from './mend-steps.ts';
import { openRestores } from './open-restores.ts';
import { addOrderMends } from './order-mends.ts';
import { addPageMends, addRelinks } from './page-mends.ts';
import { addSiteDefaultMends } from './site-defaults.ts';
import { deletedSince, untilPurge, type Deleted } from './undelete.ts';

export interface InPlaceInput extends Omit<PlanInput, 'toOrganization' | 'intoExisting' | 'people'> {
  /** Number of the snapshot of the live state, of the same archive; taken just now. */
  readonly live: number;
  readonly choices: Choices;
  /** Folder of the archive, when that is not the mirror. */
  readonly archive?: string;
  /** The restore that this takes back, and what of it may be touched. */
  readonly undoes?: {
    readonly restore: string;
    /** Holds the journal. */
    readonly journal: Mirror;
    readonly touched: (resource: Resource) => boolean;
    /** Why a space is not taken away, or a page not touched, because somebody changed it after the restore; null for what is. */
    readonly keeps?: (resource: Resource) => string | null;
    /** What the restore may have made without being able to note it. */
    readonly doubtful: readonly Resource[];
  };
}

/** Says what would have to be written for the live state to be that of the snapshot again, and nothing more. Nothing is written. */
export async function planInPlace(input: InPlaceInput): Promise<Plan> {
  const { mirror, client, clock, signal, review, targetUrl, contentServer, keepMentions = false } = input;
  const [snapshot, now] = [snapshotById(mirror, input.snapshot), snapshotById(mirror, input.live)];
  const [reader, live] = [readerAt(mirror, input.snapshot), readerAt(mirror, input.live)];
  const asked = askedFor(input, reader);
  const selection = selectionOf(input, reader, asked);
  const searched = { url: targetUrl, organization: asked.organization, wanted: reader, live, ...countedFor(input) };
  const heirs = heirsIn(input.undoes?.journal ?? mirror, searched);
  const divergence = divergenceOf(input, { reader, live, selection, organization: asked.organization, heirs });
  const target = await readTarget(client, asked.organization, signal);
  const bin = await deletedSince({ client, clock, signal }, spacesOf(divergence.missing));
  const steps = stepsFor({ input, reader, live, selection, target, divergence, bin, heirs: heirs.ids });
  const stay = peopleWhoStay(live, asked.organization);
  return {
    version: 3,
    mode: 'in-place',
    live: { snapshot: now.id, manifest: now.manifest_hash },
    archive: input.archive ?? null,
    undoes: input.undoes?.restore ?? null,
    nonce: input.random.id(),
    createdAt: isoTime(clock.now()),
    snapshot: input.snapshot,
    manifest: snapshot.manifest_hash,
    origin: snapshot.origin,
    organization: asked.organization,
    target: { url: targetUrl, organization: asked.organization },
    review,
    scope: selection.text,
    only: onlyOf(selection),
    closure: selection.closure.filter(({ kind, key }) => live.one(kind, key) === undefined),
    people: stay.people,
    standIn: null,
    keepMentions,
    existing: idsThere(target),
    heirs: heirs.standing,
    holders: holderTitles(steps, live, asked.organization),
    donor: null,
    preflight: [
      liveCheck(now),
      ...preflight({
        reader,
        organization: asked.organization,
        steps,
        target,
        people: stay,
        keepMentions,
        donor: null,
        targetUrl,
        contentServer,
        hostnames: new Set(),
        probe: await probeContent({ ...input, steps }),
      }),
      ...openRestores(input.undoes?.journal ?? mirror, searched, steps),
      ...linksLeftOut(reader, { steps, only: onlyOf(selection) }),
    ],
    rights: neededRights(steps),
    preconditions: [],
    steps,
  };
}

/** What a restore made is just what its undo takes away; what has been brought back since, by an earlier try too, is not made again. */
function countedFor({ undoes }: InPlaceInput): Partial<Pick<Parameters<typeof heirsIn>[1], 'counts'>> {
  if (undoes === undefined) return {};
  const { created_at: begun } = restoreById(undoes.journal, undoes.restore);
  return { counts: ({ id }, { at }) => id !== undoes.restore && at >= begun };
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

function spacesOf(missing: readonly Resource[]): Resource[] {
  return missing.filter(({ kind }) => kind === 'space');
}

interface StepsInput {
  readonly input: InPlaceInput;
  readonly reader: SnapshotReader;
  readonly live: SnapshotReader;
  readonly selection: Selection;
  readonly target: TargetState;
  readonly divergence: Divergence;
  readonly bin: ReadonlyMap<string, Deleted>;
  readonly heirs: IdMap;
}

function stepsFor({ input, reader, live, selection, target, divergence, bin, heirs }: StepsInput): PlanStep[] {
  const { choices, review } = input;
  const made = new Set<string>();
  if (choices.missing) {
    for (const { kind, key } of divergence.missing) if (!bin.has(key)) made.add(`${kind} ${key}`);
  }
  const list = new StepList();
  const planning: Planning = {
    list,
    reader,
    live,
    organization: selection.organization,
    review,
    selection: { ...selection, whole: false, has: (kind, key) => made.has(`${kind} ${key}`) },
    target,
    people: peopleWhoStay(live, selection.organization),
    importLimits: input.importLimits ?? NO_IMPORT_LIMITS,
    complete: snapshotById(input.mirror, input.snapshot).state === 'complete',
    heirs,
  };
  const undeletes = choices.missing ? { addUndeletes: () => addUndeletes(planning, divergence, bin) } : {};
  planSteps({ ...planning, intoExisting: true, ...undeletes }, list);
  if (choices.changed) {
    addFieldMends(planning, divergence.changed);
    addOrderMends(planning, divergence.changed);
  }
  addDefaultContentMend(planning, divergence.changed, choices);
  const keeps = input.undoes?.keeps;
  addPageMends(planning, keeps ? leavePages(planning, divergence, keeps) : divergence, choices);
  addRelinks(planning, idsMadeAnew(divergence, made));
  addValueMends(planning, divergence, choices);
  addTeamMends(planning, divergence, choices);
  addRequestMends(planning, divergence, choices);
  if (choices.missing) addMissingParts(planning, divergence, bin);
  addSiteDefaultMends(planning, divergence, choices);
  if (choices.added) addRemovals(planning, divergence.added, removing(input));
  for (const one of input.undoes?.doubtful ?? []) list.addIdle('unsupported', one, { note: DOUBTFUL });
  addUnseen(planning, selection, heirs);
  return list.steps;
}

const DOUBTFUL =
  'the restore was cut off while it made one of this name, which this may be: it is left as it is; take it away by hand, or resume the restore before it is taken back';

/** Spaces that an earlier restore made anew have other ids throughout: what is in them cannot be compared with this snapshot. */
function addUnseen({ list, reader, live }: Planning, selection: Selection, heirs: IdMap): void {
  for (const space of reader.resources('space')) {
    const heir = live?.one('space', space.key) ? undefined : heirs.byId('space', space.id);
    if (heir === undefined || !selection.meant(space)) continue;
    const note = `stands as ${heir}, made anew by an earlier restore: what changed in it since is not looked at; plan from a snapshot taken after that restore`;
    list.addIdle('unsupported', space, { note });
  }
}

function removing({ undoes }: InPlaceInput): Parameters<typeof addRemovals>[2] {
  return undoes === undefined ? {} : { keeps: undoes.keeps, why: `made or brought back by restore ${undoes.restore}` };
}

/** Ids that lead nowhere until what had them is made anew: of spaces, and of pages of spaces that stand. */
function idsMadeAnew({ missing }: Divergence, made: ReadonlySet<string>): Set<string> {
  const anew = missing.filter(({ kind, key }) => (kind === 'page' || kind === 'space') && made.has(`${kind} ${key}`));
  return new Set(anew.map(({ id }) => id));
}

/** Spaces in the bin come out of it whole, with their ids: nothing of them is made anew. */
function addUndeletes(planning: Planning, { missing }: Divergence, bin: ReadonlyMap<string, Deleted>): void {
  const { list } = planning;
  for (const space of spacesOf(missing)) {
    const found = bin.get(space.key);
    if (!found) continue;
    const parent = textAt(space.body, 'parent');
    const needs = [parent === undefined ? undefined : list.creatorOf('collection', parent)];
    const note = `undelete: keeps its ids and everything in it, as it was when it was deleted (what had changed in its content by then shows in a plan made afterwards); possible for ${untilPurge(found)} more`;
    const undeleted = list.add({ part: 'undelete', of: space, note, needs, requests: 4 });
    // Its own fields can be read in the bin, so that it comes out with its name of then.
    addFields(planning, { wanted: space, live: { ...space, body: found.body } }, [undeleted]);
  }
}

/** Parts of what stands: comments and replies, and what sites are made of. */
function addMissingParts(planning: Planning, { missing }: Divergence, bin: ReadonlyMap<string, Deleted>): void {
  const { live } = planning;
  // A site shows a space again, where it did, once that is out of the bin: what is made besides would stand in its way.
  const isBack = ({ kind, body }: Resource): boolean => kind === 'site-space' && bin.has(idAt(body['space']) ?? '');
  const held = missing.filter((one) => (!MADE_WITH_HOLDER.has(one.kind) || live === null) && !isBack(one));
  addMissingDiscussions(planning, held);
  addMissingSiteParts(planning, held);
}

const MADE_WITH_HOLDER: ReadonlySet<KindName> = new Set<KindName>(['space', 'collection', 'site', 'team']);

function peopleWhoStay(live: SnapshotReader, organization: string): PeopleMap {
  const people = Object.fromEntries([...live.resources('member', organization)].map(({ id }) => [id, id]));
  return { people, standIn: null, strangers: [] };
}

function liveCheck({
  id,
  state,
  reason,
}: {
  id: number;
  state: string;
  reason: string | null;
}): Plan['preflight'][number] {
  const check = 'live state';
  if (state !== 'partial') return { check, state: 'ok', detail: `read just now, as snapshot ${id}` };
  return {
    check,
    state: 'warn',
    detail:
      `snapshot ${id} is partial: ${reason ?? 'not all of it was read'}; that is taken as it was before. ` +
      'What a listing lacked for the first time counts as gone when a second plan finds it lacking too: plan again',
  };
}
