// The steps of a plan that mends a platform where it is, in the order in which they are carried out.
import { atOnce } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import { AppAddresses } from '../../export/index.ts';
import { isSound, snapshotById, undoesOf, type Resource, type SnapshotReader } from '../../mirror/index.ts';
import { awayIn } from '../away.ts';
import type { IdMap } from '../journal/id-map.ts';
import { NO_IMPORT_LIMITS } from '../content/import-parts.ts';
import type { PeopleMap } from '../special/people.ts';
import { addRetiredOptions } from '../plan/organization.ts';
import { planSteps } from '../plan/plan-steps.ts';
import { addMissingDiscussions } from '../plan/discussions.ts';
import { addMissingSiteParts } from '../plan/sites.ts';
import { StepList } from '../plan/step-list.ts';
import { idAt, textAt, titleOf } from '../resource.ts';
import type { Selection } from '../selection/selection.ts';
import type { TargetState } from '../target.ts';
import type { PlanStep } from '../types.ts';
import type { Divergence } from './divergence.ts';
import { addSpecTextMends, withoutComputed } from './computed-pages.ts';
import { addSiteDefaultMends, addDefaultContentMend } from './site-defaults.ts';
import { addRequestMends } from './request-mends.ts';
import { addTeamMends } from './team-mends.ts';
import { addValueMends, addValuesBeyond } from './value-mends.ts';
import { heirsIn } from './heirs.ts';
import type { InPlaceInput, Mending } from './input.ts';
import { leavePages } from './left-by-undo.ts';
import { addClosings, addFieldMends, addFields } from './mend-steps.ts';
import { withNames } from './named-fields.ts';
import { addReleads } from './releads.ts';
import { addOrderMends } from './order-mends.ts';
import { addPageMends } from './page-mends.ts';
import { addRelinks } from './relinked.ts';
import { addRemovals, type Removing } from './removals.ts';
import { addRootPlaces, isBarred } from './root-places.ts';
import { addSiteOrderMends } from './site-orders.ts';
import { addLeftOutside, addTransferOrders, addTransfers, goesAway, nameOf } from './transfers.ts';
import { undeleteNote, type Deleted } from './undelete.ts';

interface StepsInput {
  readonly input: InPlaceInput;
  readonly reader: SnapshotReader;
  readonly live: SnapshotReader;
  readonly selection: Selection;
  readonly target: TargetState;
  readonly divergence: Divergence;
  /** What is missing and stays so, and why. */
  readonly gone?: readonly { readonly of: Resource; readonly note: string }[];
  readonly bin: ReadonlyMap<string, Deleted>;
  readonly heirs: IdMap;
}

/** In the order in which they are carried out: what holds others before what it holds, what goes last. */
export function stepsInPlace(all: StepsInput): PlanStep[] {
  const { input, reader, live, selection, divergence, gone = [], heirs } = all;
  const { choices } = input;
  const made = madeAnew(all);
  const planning = planningOf(all, made);
  const { list } = planning;
  addObjects(planning, all);
  addContents(planning, all, made);
  addParts(planning, all);
  if (choices.added) {
    addRemovals(planning, divergence.added, removing(input));
    addValuesBeyond(planning, divergence.added);
  }
  if (choices.missing) addRootPlaces(planning, divergence);
  if (choices.missing) addNotMade(planning, divergence);
  for (const { of, note } of gone) list.addUnsupported(of, note);
  for (const one of input.undoes?.doubtful ?? []) list.addUnsupported(one, DOUBTFUL);
  addUnseen(planning, selection, heirs);
  return withNames(list.steps, { reader, live });
}

/** What is missing and does not come out of the bin, by kind and key. */
function madeAnew({ input, divergence, bin }: StepsInput): ReadonlySet<string> {
  const missing = input.choices.missing ? divergence.missing : [];
  return new Set(missing.filter(({ key }) => !bin.has(key)).map(({ kind, key }) => `${kind} ${key}`));
}

function planningOf(all: StepsInput, made: ReadonlySet<string>): Mending {
  const { input, reader, live, selection, target, heirs } = all;
  return {
    list: new StepList(),
    reader,
    addresses: new AppAddresses(reader),
    live,
    within: input.undoes?.wrote ?? (() => null),
    orderOf: input.undoes?.order ?? (() => 'own'),
    holds: input.undoes?.holds ?? (() => null),
    comments: input.withoutComments !== true,
    organization: selection.organization,
    review: input.review,
    selection: { ...selection, whole: false, has: (kind, key) => made.has(`${kind} ${key}`) },
    target,
    people: peopleWhoStay(live, selection.organization),
    importLimits: input.importLimits ?? NO_IMPORT_LIMITS,
    complete: isSound(input.mirror, snapshotById(input.mirror, input.snapshot)),
    heirs,
  };
}

/** Objects that are made anew, come out of the bin, or are set back by themselves. */
function addObjects(planning: Mending, { input, divergence, bin }: StepsInput): void {
  const { choices } = input;
  const changed = choices.changed ? divergence.changed : [];
  const away = changed.filter((one) => goesAway(planning, one));
  const here = changed.filter((one) => !away.includes(one));
  addTransfers(planning, here);
  const undeletes = choices.missing ? { addUndeletes: () => addUndeletes(planning, divergence, bin) } : {};
  atOnce(planSteps({ ...planning, intoExisting: true, ...undeletes }, planning.list));
  addFieldMends(planning, here);
  addTransfers(planning, away);
  addFieldMends(planning, away);
  if (choices.missing) addLeftOutside(planning, divergence.missing);
  addOrderMends(planning, changed, awayIn(input.mirror, input.live));
  addTransferOrders(planning, changed);
}

/** What is inside of what stands: texts, pages, values, members of teams, change requests. */
function addContents(planning: Mending, { input, divergence, heirs }: StepsInput, made: ReadonlySet<string>): void {
  const { choices } = input;
  addSpecTextMends(planning, divergence, choices);
  addDefaultContentMend(planning, divergence.changed, choices);
  const keeps = input.undoes?.keeps;
  const written = withoutComputed(planning, divergence);
  addPageMends(planning, keeps ? leavePages(planning, written, keeps) : written, choices);
  const turning = { ...planning, heirs: turnedTo(input, planning, heirs) };
  addRelinks(turning, idsMadeAnew(divergence, made));
  addReleads(turning, idsMadeAnew(divergence, made));
  addValueMends(planning, divergence, choices);
  addRetiredOptions(planning);
  addTeamMends(planning, divergence, choices);
  addRequestMends(planning, divergence, choices);
  if (choices.changed) addClosings(planning, divergence.changed);
}

function addParts(planning: Mending, { input, divergence, bin }: StepsInput): void {
  const { choices } = input;
  if (choices.missing) addMissingParts(planning, divergence, bin);
  addSiteOrderMends(planning, divergence, choices);
  addSiteDefaultMends(planning, divergence, choices);
}

/** An undo turns no links to what others have made anew since: who wants that makes a plan. */
function turnedTo(
  { undoes, targetUrl: url }: InPlaceInput,
  { organization, reader, live }: Mending,
  heirs: IdMap,
): IdMap {
  if (undoes === undefined) return heirs;
  const searched = { url, organization, wanted: reader, live };
  return heirsIn(undoes.journal, { ...searched, counts: (one) => undoesOf(one) === undoes.restore }).ids;
}

const DOUBTFUL =
  'the restore was cut off while it made one of this name, which this may be: it is left as it is; take it away by hand, or resume the restore before it is taken back';

const STANDS_ANEW =
  'stands with another id, made anew by an earlier restore: what changed in it since is not looked at; plan from a snapshot taken after that restore';

/** Spaces that an earlier restore made anew have other ids throughout: what is in them cannot be compared with this snapshot. */
function addUnseen({ list, reader, live }: Mending, selection: Selection, heirs: IdMap): void {
  for (const space of reader.resources('space')) {
    const heir = live.one('space', space.key) ? undefined : heirs.byId('space', space.id);
    if (heir === undefined || !selection.meant(space)) continue;
    // The id stands in the title, so that all of them are one line for one reason.
    list.addUnsupported(space, STANDS_ANEW, `${titleOf(space)} as ${heir}`);
  }
}

function removing({ undoes }: InPlaceInput): Removing {
  if (undoes === undefined) return {};
  const { restore, keeps, bins } = undoes;
  const why = (one: Resource): string => {
    const bin = bins(one);
    const into = bin === null ? '' : `; into the bin of its own organization, not into that of ${bin}, where it lay`;
    return `made or brought back by restore ${restore}${into}`;
  };
  return { keeps, why };
}

/** Ids that lead nowhere until what had them is made anew: of spaces, and of pages of spaces that stand. */
function idsMadeAnew({ missing }: Divergence, made: ReadonlySet<string>): Set<string> {
  const anew = missing.filter(({ kind, key }) => (kind === 'page' || kind === 'space') && made.has(`${kind} ${key}`));
  return new Set(anew.map(({ id }) => id));
}

/** Spaces in the bin come out of it whole, with their ids: nothing of them is made anew. */
function addUndeletes(planning: Mending, { missing }: Divergence, bin: ReadonlyMap<string, Deleted>): void {
  const { list, live } = planning;
  for (const space of spacesOf(missing)) {
    const found = bin.get(space.key);
    if (!found) continue;
    const parent = textAt(space.body, 'parent');
    const needs = [parent === undefined ? undefined : list.creatorOf('collection', parent)];
    const [own, there] = [space.body, found.body].map((body) => textAt(body, 'organization'));
    const elsewhere = there === undefined || there === own ? undefined : nameOf(live, there);
    const note = undeleteNote(found, elsewhere);
    const undeleted = list.add({ part: 'undelete', of: space, note, needs, binOf: elsewhere, requests: 3 });
    // Its own fields are known, so that it comes out with its name of then.
    addFields(planning, { wanted: space, live: { ...space, body: found.body } }, [undeleted]);
  }
}

/** Comments and replies, and what sites are made of. */
function addMissingParts(planning: Mending, { missing }: Divergence, bin: ReadonlyMap<string, Deleted>): void {
  const isBack = ({ kind, body }: Resource): boolean => kind === 'site-space' && bin.has(idAt(body['space']) ?? '');
  const held = missing.filter((one) => !MADE_WITH_HOLDER.has(one.kind) && !isBarred(planning, one));
  addMissingDiscussions(planning, held);
  addMissingSiteParts(
    planning,
    held.filter((one) => !isBack(one)),
  );
  addPlacesShown(planning, held.filter(isBack));
}

/** What no operation makes where its holder stands, and why. It is said: a plan that names nothing says that nothing is missing. */
const NOT_MADE: Readonly<Partial<Record<KindName, string>>> = {
  member: 'no operation takes people in: invite them again',
  'change-request': 'it comes back only with its space',
};

function addNotMade({ list }: Mending, { missing }: Divergence): void {
  for (const one of missing) {
    const note = NOT_MADE[one.kind];
    if (note !== undefined) list.addUnsupported(one, note);
  }
}

/** A site shows a space again, where it did, once that is out of the bin; not one that was taken from it before, or transferred since. */
function addPlacesShown({ list }: Mending, places: readonly Resource[]): void {
  for (const place of places) {
    if (list.steps.some(({ kind, key }) => kind === 'site-space' && key === place.key)) continue;
    const needs = [list.creatorOf('space', idAt(place.body['space']) ?? '')];
    list.add({ part: 'settings', of: place, note: SHOWN, needs, requests: 2 });
  }
}

const SHOWN = 'shown again with its space, else put there anew; path and condition';

const MADE_WITH_HOLDER: ReadonlySet<KindName> = new Set<KindName>(['space', 'collection', 'site', 'team']);

export function peopleWhoStay(live: SnapshotReader, organization: string): PeopleMap {
  const people = Object.fromEntries([...live.resources('member', organization)].map(({ id }) => [id, id]));
  return { people, standIn: null, strangers: [] };
}

export function spacesOf(missing: readonly Resource[]): Resource[] {
  return missing.filter(({ kind }) => kind === 'space');
}
